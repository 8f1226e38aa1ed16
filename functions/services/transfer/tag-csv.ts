/** The tags of an event as a table, both ways (decision 036). */

import type { Repositories } from "#functions/data/shared/repositories";
import type { ContentCommand, MediaValues, TagValues } from "~/domain/content/content";
import { type ReadCommand, readCommand } from "~/domain/content/content-edit.schema";
import { tagValuesFromJson } from "~/domain/content/content-json";
import { tidyFileName } from "~/domain/library/file-name";
import { matchProvider } from "~/domain/library/web-media";
import {
  EVENT_TAGS_MAX,
  FILE_NAME_SENT_MAX,
  IMPORTS_OPEN_MAX,
  MEDIA_TITLE_MAX,
  TAG_CSV_MAX_BYTES,
} from "~/domain/shared/limits";
import type { Actor, EventTag, LibraryItem, Uuid, Vec3 } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { isEqual } from "~/domain/shared/same";
import {
  COLUMNS_OF,
  isNear,
  itemNamed,
  mediaNames,
  readFlagCell,
  readKeywordsCell,
  readNumberCell,
  TAG_COLUMNS,
  type TagColumn,
  tagCells,
} from "~/domain/transfer/tag-csv.schema";
import { type CsvEncoding, unguardCell } from "~/domain/users/user-csv";
import { applyCommands, type ContentDeps, loadVisible } from "../content/content";
import { eventResource } from "../events/events";
import type { UploadStore } from "../library/uploads-ports";
import { instant, sha256Hex } from "../shared/digest";
import {
  type ErrorMessage,
  ForbiddenError,
  InvalidError,
  limitReached,
  NotFoundError,
} from "../shared/errors";
import type { FileStore } from "../shared/ports";
import { limitWork } from "../shared/work-limit";
import type { CsvCodec, CsvRecord } from "../users/people-ports";

/** Dependencies of tag tables. */
export interface TagCsvDeps extends ContentDeps, Pick<Repositories, "imports"> {
  /** Loads the code of CSV files. */
  readonly csv: () => Promise<CsvCodec>;
  readonly library: Pick<Repositories["library"], "findAll">;
  readonly packages: Pick<Repositories["packages"], "listAlike">;
  readonly files: FileStore;
  readonly uploadStore: Pick<UploadStore, "putFile">;
}

/** How long a checked file waits for its confirmation, and what came of it can be read. */
const WAITS = 3_600_000;
/** Duration of the claim of the call that writes a file, in milliseconds. */
const CLAIM_MS = 5 * 60_000;

const problem = (key: string, values?: ErrorMessage["values"]): ErrorMessage => ({
  key: `transfer:csv.problem.${key}`,
  ...(values && { values }),
});
const badFile = (key: string, values?: ErrorMessage["values"]) =>
  new InvalidError({ file: [problem(key, values)] }, "bad_file");

/** A problem in a line, with its column if there is one. */
export interface TagLineProblem {
  readonly column: TagColumn | null;
  readonly words: ErrorMessage;
}

/** A line of a file, and what it would do or did. */
export interface TagLine {
  /** Where the record begins in the file, from 1. */
  readonly line: number;
  /** The tag that is there, or is to be made. Empty where the line names none that is. */
  readonly id: string;
  readonly title: string;
  readonly outcome: "create" | "update" | "unchanged" | "error";
  /** The columns in which an update changes something. */
  readonly columns: readonly TagColumn[];
  readonly problems: readonly TagLineProblem[];
}

/** Changes that a file would make, or has made. */
export interface TagCsvReport {
  readonly encoding: CsvEncoding;
  readonly lines: readonly TagLine[];
  /** Whether tags change their places. */
  readonly moves: boolean;
  /** Tags that the file does not name, where they are to be deleted. */
  readonly deleted: readonly { readonly id: Uuid; readonly title: string }[];
}

/** A checked file of tags that waits for its confirmation, or what came of it. */
export interface TagImport extends TagCsvReport {
  readonly id: Uuid;
  readonly fileName: string;
  readonly isDone: boolean;
  readonly deletesMissing: boolean;
}

const titleOf = ({ title }: Pick<EventTag, "title">) => title.ja || title.en;

/** The tags of an event as a CSV file with all of their fields. @throws NotFoundError when it is not visible */
export async function exportTags(
  deps: Pick<TagCsvDeps, "content" | "csv" | "clock">,
  input: { readonly actor: Actor; readonly eventId: Uuid },
): Promise<{ readonly fileName: string; readonly text: string }> {
  const { event, tags, media } = await loadVisible(deps, input.actor, input.eventId);
  const names = new Map(media.map(({ id, libraryItemId, web }) => [id, web?.url ?? libraryItemId]));
  const csv = await deps.csv();
  const line = (tag: EventTag, i: number) => csv.line(tagCells(tag, i + 1, (id) => names.get(id) ?? ""));
  const day = instant(deps.clock.now()).slice(0, 10);
  return {
    fileName: `${event.eventName} ${day}.csv`,
    // A spreadsheet takes a file without this mark for Shift_JIS.
    text: `\ufeff${csv.line(TAG_COLUMNS)}${tags.map(line).join("")}`,
  };
}

/** The submitted file and its options. */
export interface TagCsvInput {
  readonly bytes: Uint8Array;
  /** Null: whichever it turns out to have. */
  readonly encoding: CsvEncoding | null;
  /** Tags that the file does not name are deleted. */
  readonly deletesMissing: boolean;
}

/** An id that is the same whenever the same file is written: what was cut off is gone on with. */
async function idFrom(seed: string): Promise<Uuid> {
  const hex = await sha256Hex(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

type Content = Awaited<ReturnType<typeof loadVisible>>;
interface Plan extends TagCsvReport {
  readonly commands: readonly ContentCommand[];
  /** The line of each command that one has. */
  readonly lineOf: ReadonlyMap<ContentCommand, number>;
}

/** Which cell holds which column. @throws InvalidError bad_file */
function columnsOf({ cells }: CsvRecord): readonly (TagColumn | null)[] {
  const names = cells.map((cell) => cell.normalize("NFKC").trim().toLowerCase().replaceAll(" ", "_"));
  const columns = names.map((name): TagColumn | null => {
    if (name === "") return null;
    const column = TAG_COLUMNS.find((each) => each === name);
    if (!column) throw badFile("column", { column: [...name].slice(0, 40).join("") });
    return column;
  });
  if (!columns.some((column) => column === "id" || column === "title_ja" || column === "title_en"))
    throw badFile("noTitle");
  for (const column of columns)
    if (column && columns.indexOf(column) !== columns.lastIndexOf(column))
      throw badFile("columnTwice", { column });
  return columns;
}

/** The lines of a file. @throws InvalidError bad_file */
async function readRecords(deps: Pick<TagCsvDeps, "csv">, { bytes, encoding }: TagCsvInput) {
  if (bytes.length === 0) throw badFile("empty");
  if (bytes.length > TAG_CSV_MAX_BYTES) throw badFile("tooLarge");
  const csv = await deps.csv();
  const file = csv.decode(bytes, encoding);
  if (!file) throw badFile("encoding");
  const [head, ...records] = csv.parse(file.text, EVENT_TAGS_MAX + 2);
  if (!head) throw badFile("empty");
  if (head.broken) throw badFile("notCsv");
  if (records.length > EVENT_TAGS_MAX) throw badFile("tooLong", { count: EVENT_TAGS_MAX });
  return { encoding: file.encoding, columns: columnsOf(head), records };
}

/** A media cell's names, and what they stand for. */
interface MediaFinder {
  /** The library item of a name; null for a name of nothing that the actor sees. */
  find(name: string): LibraryItem | Uuid | null;
}

/** Finds all that the media cells of a file name, at once. */
async function findMedia(
  deps: Pick<TagCsvDeps, "library" | "packages">,
  actor: Actor,
  { space, media }: Content,
  cells: readonly string[],
): Promise<MediaFinder> {
  const names = [...new Set(cells.flatMap(mediaNames))];
  const inEvent = new Set(media.map(({ libraryItemId }) => libraryItemId));
  const ids = names.flatMap((name) => itemNamed(name) ?? []).filter((id) => !inEvent.has(id));
  const urlOf = (name: string) => {
    const match = matchProvider(name);
    return "error" in match ? null : match.url;
  };
  const urls = new Map(names.flatMap((name) => (itemNamed(name) ? [] : [[name, urlOf(name)] as const])));
  const shown = new Map(
    media.flatMap(({ web, libraryItemId }) => (web ? [[web.url, libraryItemId] as const] : [])),
  );
  const wanted = [...urls.values()].flatMap((url) => (url !== null && !shown.has(url) ? [url] : []));
  const [items, web] = await Promise.all([
    ids.length > 0 ? deps.library.findAll(ids) : [],
    wanted.length > 0 ? deps.packages.listAlike(space.ownerId, { sizes: [], urls: wanted }) : [],
  ]);
  const visible = [...items, ...web].filter(({ ownerId, groupId }) =>
    can(actor, "read", { type: "media", ownerId, groupId }),
  );
  const byId = new Map(visible.map((item) => [item.id, item]));
  const byUrl = new Map(visible.flatMap((item) => (item.web ? [[item.web.url, item] as const] : [])));
  return {
    find(name) {
      const id = itemNamed(name);
      if (id !== null) return inEvent.has(id) ? id : (byId.get(id) ?? null);
      const url = urls.get(name) ?? null;
      return url === null ? null : (shown.get(url) ?? byUrl.get(url) ?? null);
    },
  };
}

/** Three numbers out of cells: null where all are empty, the column of the one that is none. */
function readPoint(
  cells: readonly (readonly [TagColumn, string])[],
): Vec3 | null | { readonly wrong: TagColumn } {
  if (cells.every(([, cell]) => cell.trim() === "")) return null;
  const numbers: number[] = [];
  for (const [column, cell] of cells) {
    const number = readNumberCell(cell);
    if (number === null) return { wrong: column };
    numbers.push(number);
  }
  return numbers as unknown as Vec3;
}

/**
 * The changes that a file would make to an event.
 * @param seed seed for the ids of new items
 */
async function planOf(
  deps: TagCsvDeps,
  actor: Actor,
  content: Content,
  input: TagCsvInput,
  seed: string,
): Promise<Plan> {
  const { encoding, columns, records } = await readRecords(deps, input);
  const cellsOf = (record: CsvRecord) => {
    const cells = new Map<TagColumn, string>();
    for (const [i, column] of columns.entries())
      if (column) cells.set(column, unguardCell(record.cells[i] ?? ""));
    return cells;
  };
  const rows = records.map((record) => ({ record, cells: cellsOf(record) }));
  const media = await findMedia(
    deps,
    actor,
    content,
    rows.map(({ cells }) => cells.get("media") ?? ""),
  );
  const there = new Map(content.tags.map((tag) => [tag.id, tag]));
  const mediumOf = new Map<Uuid, Uuid>();
  // The first of several uses of one item is meant, as the oldest stands first.
  for (const { id, libraryItemId } of content.media.toReversed()) mediumOf.set(libraryItemId, id);
  const itemOf = new Map(content.media.map(({ id, libraryItemId }) => [id, libraryItemId]));
  const newMedia = new Map<Uuid, ContentCommand>();
  const commands: ContentCommand[] = [];
  const lineOf = new Map<ContentCommand, number>();
  const lines: TagLine[] = [];
  const named = new Map<Uuid, number>();
  /** Position of each tag in the order, if the file gives one. */
  const places = new Map<Uuid, number>();

  for (const { record, cells } of rows) {
    const problems: TagLineProblem[] = [];
    const add = (column: TagColumn | null, words: ErrorMessage) => problems.push({ column, words });
    const rawId = (cells.get("id") ?? "").trim().toLowerCase();
    const tag = rawId === "" ? null : (there.get(rawId) ?? null);
    const line = (outcome: TagLine["outcome"], changed: readonly TagColumn[] = []): TagLine => ({
      line: record.line,
      id: tag?.id ?? "",
      outcome,
      columns: changed,
      problems,
      title: [...(cells.get("title_ja") || cells.get("title_en") || (tag ? titleOf(tag) : ""))]
        .slice(0, 100)
        .join(""),
    });
    if (record.broken) add(null, problem("quotes"));
    else if (record.cells.length !== columns.length)
      add(
        null,
        problem(record.cells.length < columns.length ? "tooFew" : "tooMany", {
          count: record.cells.length,
          wanted: columns.length,
        }),
      );
    else if (rawId !== "" && !tag) add("id", problem("unknownId"));
    else if (tag && named.has(tag.id)) add("id", problem("twice", { line: named.get(tag.id) ?? 0 }));
    if (tag && !named.has(tag.id)) named.set(tag.id, record.line);
    if (problems.length > 0) {
      lines.push(line("error"));
      continue;
    }
    const values: Record<string, unknown> = {};
    const has = (...names: TagColumn[]) => names.some((name) => cells.has(name));
    const text = (name: TagColumn) => cells.get(name) ?? "";
    for (const field of ["title", "body"] as const)
      if (has(`${field}_ja`, `${field}_en`))
        values[field] = {
          ja: cells.get(`${field}_ja`) ?? tag?.[field].ja ?? "",
          en: cells.get(`${field}_en`) ?? tag?.[field].en ?? "",
        };
    if (has("color")) values.color = text("color").trim();
    if (has("icon")) values.icon = text("icon").trim();
    if (has("keywords")) values.keywords = readKeywordsCell(text("keywords"));
    if (has("link_url")) values.linkUrl = text("link_url");
    if (has("hidden")) values.hidden = readFlagCell(text("hidden"));
    if (has("product_id", "product_title")) {
      const id = (cells.get("product_id") ?? tag?.product?.id ?? "").trim();
      const gid = /^\d{1,20}$/.test(id) ? `gid://shopify/Product/${id}` : id;
      values.product = { id: gid, title: cells.get("product_title") ?? tag?.product?.title ?? "" };
    }
    for (const field of ["position", "stem"] as const) {
      const axes = (["x", "y", "z"] as const).map((axis) => `${field}_${axis}` as const);
      if (!has(...axes)) continue;
      const before = tag?.[field] ?? null;
      const point = readPoint(
        axes.map((name, i) => [name, cells.get(name) ?? String(before?.[i] ?? "")] as const),
      );
      if (point !== null && "wrong" in point)
        add(point.wrong, { key: "shared-owners:errors.field.position" });
      else
        values[field] =
          point && before && point.every((part, i) => isNear(part, before[i] ?? Number.NaN)) ? before : point;
    }
    if (has("viewpoint")) {
      const cell = text("viewpoint").trim();
      try {
        const raw = cell === "" ? null : (JSON.parse(cell.slice(0, 2000)) as unknown);
        Object.assign(values, tagValuesFromJson({ viewpoint: raw }));
      } catch {
        add("viewpoint", { key: "shared-owners:errors.field.position" });
      }
    }
    if (has("media")) {
      const names = mediaNames(text("media"));
      const ids: Uuid[] = [];
      for (const name of names) {
        const found = media.find(name);
        if (found === null) {
          add("media", problem("media", { name: [...name].slice(0, 60).join("") }));
          continue;
        }
        const itemId = typeof found === "string" ? found : found.id;
        let id = mediumOf.get(itemId);
        if (id === undefined && typeof found !== "string") {
          id = await idFrom(`${seed} media ${itemId}`);
          mediumOf.set(itemId, id);
          const title = [...found.title].slice(0, MEDIA_TITLE_MAX).join("");
          const of: MediaValues & { libraryItemId: Uuid } = {
            libraryItemId: itemId,
            title: { ja: title, en: "" },
            description: { ja: "", en: "" },
            placement: null,
            hidden: false,
          };
          newMedia.set(id, { op: "create_media", id, values: of });
        }
        if (id !== undefined) ids.push(id);
      }
      // The same media in the same order are left as they are, whichever of several uses of an item they are.
      const before = tag?.mediaIds ?? [];
      const isSame = isEqual(
        before.map((id) => itemOf.get(id)),
        ids.map((id) => itemOf.get(id)),
      );
      values.mediaIds = isSame && ids.every((id) => itemOf.has(id)) ? before : ids;
    }
    if (has("order") && text("order").trim() !== "") {
      const place = readNumberCell(text("order"));
      if (place === null) add("order", { key: "shared-owners:errors.field.invalid" });
      else if (tag) places.set(tag.id, place);
      else places.set(await idFrom(`${seed} ${record.line}`), place);
    }
    const id = tag?.id ?? (await idFrom(`${seed} ${record.line}`));
    const read: ReadCommand = readCommand(
      tag ? { op: "update_tag", id, version: tag.version, values } : { op: "create_tag", id, values },
    );
    if ("errors" in read)
      for (const [name, keys] of Object.entries(read.errors)) {
        const [first = name] = name.split(".");
        const column = COLUMNS_OF[name]?.[0] ?? COLUMNS_OF[first]?.[0] ?? null;
        // Where a media cell names what is not there, that has been said.
        if (!problems.some((each) => each.column === column))
          add(column, { key: keys[0] ?? "shared-owners:errors.field.invalid" });
      }
    if (problems.length > 0 || !("command" in read)) {
      lines.push(line("error"));
      continue;
    }
    const { command } = read;
    if (command.op === "create_tag") {
      lines.push({ ...line("create"), id });
      commands.push(command);
      lineOf.set(command, record.line);
      continue;
    }
    if (!tag || command.op !== "update_tag") continue;
    const changed = Object.entries(command.values).filter(
      ([name, value]) => !isEqual(tag[name as keyof TagValues], value),
    );
    if (changed.length === 0) {
      lines.push(line("unchanged"));
      continue;
    }
    const update = { ...command, values: Object.fromEntries(changed) } as ContentCommand;
    commands.push(update);
    lineOf.set(update, record.line);
    lines.push(
      line(
        "update",
        changed.flatMap(([name]) => COLUMNS_OF[name] ?? []).filter((name) => cells.has(name)),
      ),
    );
  }

  const isRead = lines.every(({ problems }) =>
    problems.every(({ column }) => column !== null && column !== "id"),
  );
  // A line whose tag is not known might be any: nothing is deleted then.
  const missing = input.deletesMissing && isRead ? content.tags.filter(({ id }) => !named.has(id)) : [];
  const deletions = missing.map(
    ({ id, version }): ContentCommand => ({ op: "delete", type: "tag", id, version }),
  );
  const made = commands.flatMap((command) => (command.op === "create_tag" ? [command.id] : []));
  if (content.tags.length - missing.length + made.length > EVENT_TAGS_MAX)
    throw badFile("tooManyTags", { count: EVENT_TAGS_MAX });
  const left = content.tags.map(({ id }) => id).filter((id) => !missing.some((tag) => tag.id === id));
  const natural = [...left, ...made];
  const placeOf = new Map(
    natural.map((id, i) => [id, places.get(id) ?? (made.includes(id) ? Number.MAX_VALUE : i + 1)]),
  );
  const order =
    places.size > 0 ? natural.toSorted((a, b) => (placeOf.get(a) ?? 0) - (placeOf.get(b) ?? 0)) : natural;
  const moves = order.some((id, i) => id !== natural[i]);
  const used = new Set(
    commands.flatMap((command) =>
      command.op === "create_tag" || command.op === "update_tag" ? (command.values.mediaIds ?? []) : [],
    ),
  );
  return {
    encoding,
    lines,
    moves,
    lineOf,
    deleted: missing.map((tag) => ({ id: tag.id, title: titleOf(tag) })),
    commands: [
      ...[...newMedia].flatMap(([id, command]) => (used.has(id) ? [command] : [])),
      ...commands,
      ...deletions,
      ...(moves ? [{ op: "move_tags" as const, ids: order, before: null }] : []),
    ],
  };
}

/** An event whose tags the actor may change. @throws NotFoundError, ForbiddenError */
async function editable(deps: TagCsvDeps, actor: Actor, eventId: Uuid): Promise<Content> {
  const content = await loadVisible(deps, actor, eventId);
  const { ownerId, groupId } = eventResource(content.space);
  if (!can(actor, "update", { type: "tag", ownerId, groupId })) throw new ForbiddenError("import tags");
  return content;
}

/** Writes what a plan says, as one change of the event, and says of each line what became of it. */
async function perform(deps: TagCsvDeps, actor: Actor, eventId: Uuid, plan: Plan): Promise<TagCsvReport> {
  const { commands, lineOf, commands: _commands, ...report } = plan;
  if (commands.length === 0) return report;
  const { results } = await applyCommands(
    deps,
    actor,
    eventId,
    commands.map((command) => ({ command })),
    { action: "event_tags_imported" },
  );
  const refused = new Map<number, TagLineProblem>();
  for (const [i, result] of results.entries()) {
    const line = lineOf.get(commands[i] as ContentCommand);
    if (result.ok || line === undefined) continue;
    refused.set(line, { column: null, words: problem(`refused.${result.reason}`) });
  }
  const gone = new Set(
    results.flatMap((result, i) => (commands[i]?.op === "delete" && result.ok ? [result.id] : [])),
  );
  return {
    ...report,
    lines: report.lines.map((line) => {
      const why = refused.get(line.line);
      return why ? { ...line, outcome: "error", problems: [why] } : line;
    }),
    deleted: report.deleted.filter(({ id }) => gone.has(id)),
  };
}

/**
 * Reads a file of tags and writes it at once, for programs: all of it, or nothing when a line is wrong.
 * @param input.isPreview nothing is written, and what is wrong is said line by line
 * @throws InvalidError bad_file, about `file` or `lines.{line}.{column}`; RateLimitedError; NotFoundError, ForbiddenError
 */
export async function importTags(
  deps: TagCsvDeps,
  input: TagCsvInput & { readonly actor: Actor; readonly eventId: Uuid; readonly isPreview: boolean },
): Promise<TagCsvReport> {
  const { actor, eventId } = input;
  const content = await editable(deps, actor, eventId);
  await limitWork(deps, "import", content.space.ownerId);
  const plan = await planOf(deps, actor, content, input, deps.ids.uuid());
  if (input.isPreview) {
    const { commands: _commands, lineOf: _lineOf, ...report } = plan;
    return report;
  }
  const wrong = plan.lines.flatMap(({ line, problems }) =>
    problems.map(({ column, words }) => [`lines.${line}${column ? `.${column}` : ""}`, [words]] as const),
  );
  if (wrong.length > 0) throw new InvalidError(Object.fromEntries(wrong.slice(0, 200)), "bad_file");
  return perform(deps, actor, eventId, plan);
}

/**
 * Reads a file of tags and reports what each line would do. It writes no tag: the file is stored for an hour for its sender.
 * @throws InvalidError bad_file, about `file`; LimitError too_many_imports, library_capacity; RateLimitedError; NotFoundError, ForbiddenError
 */
export async function checkTagImport(
  deps: TagCsvDeps,
  input: TagCsvInput & { readonly actor: Actor; readonly eventId: Uuid; readonly fileName: string },
): Promise<TagImport> {
  const { actor, eventId, bytes, deletesMissing } = input;
  const content = await editable(deps, actor, eventId);
  await limitWork(deps, "import", content.space.ownerId);
  const id = deps.ids.uuid();
  const plan = await planOf(deps, actor, content, input, id);
  const now = deps.clock.now();
  // A file that is checked takes the place of one that was checked for this event and not applied.
  for (const old of await deps.imports.listChecked(actor.userId, eventId, instant(now))) {
    await deps.files.delete([old.fileKey]);
    await deps.imports.remove(old.id);
  }
  const changed = new Set(
    plan.commands.flatMap((command) => ("version" in command && "id" in command ? [command.id] : [])),
  );
  const versions = content.tags.flatMap((tag) =>
    changed.has(tag.id) ? [[tag.id, tag.version] as const] : [],
  );
  const fileName = tidyFileName(input.fileName.slice(0, FILE_NAME_SENT_MAX));
  const made = {
    id,
    actorId: actor.userId,
    ownerId: content.space.ownerId,
    kind: "tags" as const,
    targetId: eventId,
    fileName,
    byteSize: bytes.length,
    fileKey: `imports/${id}`,
    multipartId: "",
    detail: { deletesMissing, encoding: plan.encoding, versions: Object.fromEntries(versions) },
    createdAt: instant(now),
    expiresAt: instant(now + WAITS),
  };
  // The record is written first, so that the cron job can delete its files in any case.
  const outcome = await deps.imports.add(made, IMPORTS_OPEN_MAX);
  if (outcome !== "added") throw outcome === "gone" ? new NotFoundError("owner") : limitReached(outcome);
  await deps.uploadStore.putFile(made.fileKey, bytes, "text/csv");
  const { commands: _commands, lineOf: _lineOf, ...report } = plan;
  return { ...report, id, fileName, isDone: false, deletesMissing };
}

type OwnTagImport = { readonly actor: Actor; readonly eventId: Uuid; readonly importId: Uuid };

async function ownImport(deps: TagCsvDeps, { actor, eventId, importId }: OwnTagImport) {
  const found = await deps.imports.find(importId, actor.userId);
  const isThere =
    found?.kind === "tags" && found.targetId === eventId && found.expiresAt > instant(deps.clock.now());
  if (!isThere) throw new NotFoundError("import");
  return found;
}

async function plannedAgain(deps: TagCsvDeps, input: OwnTagImport) {
  const found = await ownImport(deps, input);
  const { deletesMissing = false, encoding = null, versions = {} } = found.detail;
  const content = await editable(deps, input.actor, input.eventId);
  const file = await deps.files.get(found.fileKey);
  if (!file?.body) throw new NotFoundError("import");
  const bytes = new Uint8Array(await new Response(file.body).arrayBuffer());
  const plan = await planOf(deps, input.actor, content, { bytes, encoding, deletesMissing }, found.id);
  return { found, versions, deletesMissing, plan };
}

/** A file of tags that the actor has checked, as it stands now, or what came of it. @throws NotFoundError, ForbiddenError */
export async function getTagImport(deps: TagCsvDeps, input: OwnTagImport): Promise<TagImport> {
  const found = await ownImport(deps, input);
  const { id, fileName } = found;
  if (found.doneAt !== null)
    return { ...(found.report as TagCsvReport), id, fileName, isDone: true, deletesMissing: false };
  const { plan, deletesMissing } = await plannedAgain(deps, input);
  const { commands: _commands, lineOf: _lineOf, ...report } = plan;
  return { ...report, id, fileName, isDone: false, deletesMissing };
}

/**
 * Writes what was checked, as one change of the event: lines that are wrong are left out, and so are those whose tag was changed since.
 * Twice is once. @throws NotFoundError, ForbiddenError
 */
export async function applyTagImport(deps: TagCsvDeps, input: OwnTagImport): Promise<void> {
  const { actor, eventId, importId } = input;
  if ((await ownImport(deps, input)).doneAt !== null) return;
  const now = deps.clock.now();
  const until = instant(now + CLAIM_MS);
  if (!(await deps.imports.claim(importId, instant(now), until))) return;
  try {
    const { plan, versions, found } = await plannedAgain(deps, input);
    // Commands for tags that changed since carry the compared version, so that they are rejected as stale.
    const commands = plan.commands.map((command): ContentCommand => {
      if (command.op !== "update_tag" && command.op !== "delete") return command;
      const version = versions[command.id];
      return { ...command, version: version ?? 0 };
    });
    const lineOf = new Map(
      plan.commands.flatMap((command, i) => {
        const line = plan.lineOf.get(command);
        return line === undefined ? [] : [[commands[i] as ContentCommand, line] as const];
      }),
    );
    const report = await perform(deps, actor, eventId, { ...plan, commands, lineOf });
    await deps.imports.finish(importId, until, instant(deps.clock.now()), report);
    await deps.files.delete([found.fileKey]);
  } catch (error) {
    await deps.imports.release(importId, until);
    throw error;
  }
}
