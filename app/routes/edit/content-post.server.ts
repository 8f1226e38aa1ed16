import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { CommandResult, ContentCommand, EventContent, PartType } from "~/domain/content/content";
import type { RichText } from "~/domain/content/rich-text";
import { toUuid } from "~/domain/shared/ids";
import { CONTENT_COMMANDS_MAX } from "~/domain/shared/limits";
import type { Actor, Lang, Uuid } from "~/domain/shared/model";
import type { Edit, Values } from "~/editor/content";
import { toCommand } from "~/editor/queue";
import type { ContentErrors } from "~/forms/content-field";
import type { MediumInput } from "~/forms/medium-input";
import type { TagInput } from "~/forms/tag-input";
import { packWords } from "~/forms/words";
import { listParams, type ScenePart } from "./panels";

/** A form of the editor's panel, as it was sent. */
export interface ContentPost {
  readonly request: Request;
  readonly form: FormData;
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly eventId: Uuid;
}

/** What a page shows of a form of its content that changed nothing, or not all. */
export interface ContentOutcome {
  readonly act: "content";
  /** Packed words; null where the fields say it. */
  readonly problem: string | null;
  /** The form that came back. */
  readonly tag?: { readonly input: TagInput; readonly errors: ContentErrors };
  readonly medium?: { readonly input: MediumInput; readonly errors: ContentErrors };
  /** The form of the start view, of a stop or of the floor plan, with what it was filled from, as JSON. */
  readonly scene?: {
    /** The panel that it stands in. */
    readonly part: ScenePart;
    readonly input: Readonly<Record<string, string>>;
    readonly errors: ContentErrors;
    readonly was: string;
  };
  /** What the texts of a form look like, by their languages. */
  readonly preview?: Readonly<Record<Lang, RichText>>;
  /** What of a copy found no room: titles of what was refused, and of tags that came without all their media. */
  readonly copy?: {
    readonly done: number;
    /** The event to which it went. */
    readonly to: Uuid;
    readonly refused: readonly string[];
    readonly lacking: readonly string[];
  };
  /** The address of a web medium that was not taken. */
  readonly web?: { readonly typed: string; readonly problem: string };
  /** Somebody saved in between: what is saved now, by field, and what this form would save over that version. */
  readonly conflict?: { readonly version: number; readonly saved: Values; readonly mine: Values };
}

/** Refuses a form of the panel. */
export const refuseContent = (status: number, more: Partial<ContentOutcome>) =>
  data<ContentOutcome>({ act: "content", problem: null, ...more }, { status });

/**
 * Leads back to a list, with what is to be said there.
 * @param place of the page: the id of what was changed
 */
export function backTo(post: ContentPost, more: Readonly<Record<string, string>>, place = ""): never {
  const { pathname, searchParams } = new URL(post.request.url);
  const params = listParams(searchParams);
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  throw redirect(`${pathname.replace(/\.data$/, "")}?${params}${place && `#${place}`}`);
}

/** What is said of a command that was refused. */
export const WORDS = {
  stale: "content:refused.stale",
  not_found: "content:refused.gone",
  invalid: "content:refused.invalid",
  limit: "content:refused.limit",
  content_full: "content:errors.limits.content",
  forbidden: "content:refused.forbidden",
} as const;

/** Sends edits about content as it is saved, in calls as large as one may be: what became of each, and by which acts. */
export async function sendEdits(post: ContentPost, content: EventContent, edits: readonly Edit[]) {
  const { context, actor, eventId } = post;
  const base = { ...content, deleted: {} };
  const commands: ContentCommand[] = edits.map((edit) => toCommand(edit, base));
  const results: CommandResult[] = [];
  const acts: Uuid[] = [];
  for (let at = 0; at < commands.length; at += CONTENT_COMMANDS_MAX) {
    const part = commands.slice(at, at + CONTENT_COMMANDS_MAX);
    const done = await context.services.content.editContent({ actor, eventId, commands: part });
    results.push(...done.results);
    acts.push(done.act);
  }
  return { results, acts };
}

/** The words and status of the first of some results that was refused; null when all were done. */
export function refusalOf(results: readonly CommandResult[]) {
  for (const result of results) {
    if (result.ok) continue;
    const first = Object.values(result.errors ?? {})[0]?.[0];
    const status = result.reason === "stale" ? 409 : result.reason === "not_found" ? 404 : 400;
    return { status, problem: packWords({ key: first ?? WORDS[result.reason] }) };
  }
  return null;
}

/** Of what the form speaks. */
export const partType = (form: FormData): PartType => (form.get("type") === "media" ? "media" : "tag");

/** What was ticked. */
export const idsOf = (form: FormData): Uuid[] => form.getAll("item").flatMap((value) => toUuid(value) ?? []);
