/** A content service in memory for tests of the editor. It handles versions, conflicts and changes of tags and the scene like the real one. */
import {
  type CommandResult,
  type ContentChange,
  type ContentCommand,
  type ContentItem,
  EMPTY_SCENE,
  type EventContent,
} from "~/domain/content/content";
import type { EventMedia, EventTag } from "~/domain/shared/model";
import { ContentDraft, type Edit, type EditorContent, findItem, getSubjectId, SCENE_ID } from "./content";
import type { EditorPorts } from "./ports";

/** Id of the event in these tests. */
export const EVENT = "00000000-0000-4000-8000-0000000000e0";

/** Creates a tag with default values. */
export const makeTag = (id: string, title: string, sortOrder = 0): EventTag => ({
  id,
  eventId: EVENT,
  title: { ja: title, en: "" },
  body: { ja: "", en: "" },
  color: "#3b4fa8",
  icon: "info",
  keywords: [],
  linkUrl: null,
  position: null,
  stem: [0, 0.25, 0],
  viewpoint: null,
  mediaIds: [],
  product: null,
  hidden: false,
  sortOrder,
  version: 1,
});

/** A scheduler whose clock tests move forward. */
export class TestClock {
  now = 0;
  private timers: { dueAt: number; run: () => void }[] = [];
  readonly schedule = (ms: number, run: () => void) => {
    const timer = { dueAt: this.now + ms, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((candidate) => candidate !== timer);
    };
  };
  /** Advances the clock and runs everything that is due. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await settlePromises();
      const next = this.timers.filter(({ dueAt }) => dueAt <= end).sort((a, b) => a.dueAt - b.dueAt)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.now = Math.max(this.now, next.dueAt);
      next.run();
    }
    this.now = end;
    await settlePromises();
  }
}

/** Lets pending promise callbacks run. */
const settlePromises = async () => {
  for (let round = 0; round < 20; round++) await Promise.resolve();
};

/** The shared server of the editors in a test. */
export class TestServer {
  private readonly draft: ContentDraft;
  /** Versions of deleted records. */
  private readonly deletedVersions = new Map<string, number>();
  readonly changes: ContentChange[] = [];
  /** Japanese titles of tags in the order in which they were saved, to detect overwritten values. */
  readonly titles: string[] = [];
  constructor(tags: readonly EventTag[]) {
    const scene = EMPTY_SCENE;
    this.draft = new ContentDraft({ tags, media: [], scene, deleted: {} }, EVENT);
  }
  get content(): EditorContent {
    return this.draft.content();
  }
  /** Number of calls with commands that have arrived. */
  calls = 0;
  private get callId(): string {
    return `call ${this.calls}`;
  }
  get seq(): number {
    return this.changes.length;
  }
  load(): EventContent {
    const { tags, media, scene } = this.content;
    return { tags, media, scene, seq: this.seq };
  }
  private addChange(itemType: ContentChange["itemType"], itemId: string, after: unknown, actorName: string) {
    const change = {
      seq: this.seq + 1,
      at: "2026-01-01T00:00:00.000Z",
      callId: this.callId,
      actorId: actorName,
      actorName,
    };
    this.changes.push({ ...change, itemType, itemId, after } as ContentChange);
  }
  private runCommand(command: ContentCommand, editorName: string): CommandResult {
    const edit = command as Edit;
    const { draft } = this;
    const id = getSubjectId(edit) ?? EVENT;
    const existing = findItem(draft, id) as EventTag | EventMedia | undefined;
    const reject = (reason: "stale" | "not_found"): CommandResult => ({
      ok: false,
      id,
      reason,
      ...(existing && { saved: { type: "tag", item: existing as EventTag } as ContentItem }),
    });
    if (command.op === "move_tags") {
      draft.apply(edit);
      const order = new Map(this.content.tags.map((tag) => [tag.id, tag.sortOrder]));
      this.addChange("order", EVENT, order, editorName);
      return { ok: true, id: EVENT, version: 0, type: "order", item: order };
    }
    if (command.op === "update_scene") {
      if (command.version !== draft.scene.version)
        return { ok: false, id, reason: "stale", saved: { type: "scene", item: draft.scene } };
      draft.setScene({ ...command.values, version: command.version + 1 });
      const { scene } = draft;
      this.addChange("scene", EVENT, scene, editorName);
      return { ok: true, id: SCENE_ID, version: scene.version, type: "scene", item: scene };
    }
    const isCreating = command.op === "create_tag" || command.op === "duplicate" || command.op === "restore";
    if (isCreating && existing)
      return { ok: true, id, version: existing.version, type: "tag", item: existing as EventTag };
    if (command.op === "restore" && !this.deletedVersions.has(id)) return reject("not_found");
    if (command.op === "duplicate" && !findItem(draft, command.id)) return reject("not_found");
    if (!isCreating && !existing) return reject("not_found");
    if ("version" in command && command.version !== existing?.version) return reject("stale");
    const version = (existing?.version ?? this.deletedVersions.get(id) ?? 0) + 1;
    draft.apply(edit);
    const item = draft.find(id) as EventTag | undefined;
    if (!item) {
      this.deletedVersions.set(id, version);
      this.addChange("tag", id, null, editorName);
      return { ok: true, id, version, type: "tag", item: null };
    }
    this.deletedVersions.delete(id);
    const saved = { ...item, version };
    this.titles.push(saved.title.ja);
    draft.put("tag", saved);
    this.addChange("tag", id, saved, editorName);
    return { ok: true, id, version, type: "tag", item: saved };
  }
  /**
   * Creates the ports of one editor.
   * @param findLostPart called for each call: returns whether the request or its response is lost
   */
  ports(
    clock: TestClock,
    editorName: string,
    findLostPart: () => "call" | "response" | null = () => null,
  ): EditorPorts {
    return {
      send: async (commands) => {
        const lostPart = findLostPart();
        if (lostPart === "call") return { state: "lost" };
        this.calls++;
        const { callId } = this;
        const results = commands.map((command) => this.runCommand(command, editorName));
        return lostPart === "response"
          ? { state: "lost" }
          : { state: "done", seq: this.seq, callId, results };
      },
      changes: async (after) => {
        if (findLostPart() !== null) return { state: "lost" };
        return { state: "done", seq: this.seq, changes: this.changes.slice(after), more: false };
      },
      schedule: clock.schedule,
      now: () => clock.now,
      isVisible: () => true,
    };
  }
}
