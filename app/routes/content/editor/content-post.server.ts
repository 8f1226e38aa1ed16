import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { CommandResult, ContentCommand, EventContent, PartType } from "~/domain/content/content";
import type { RichText } from "~/domain/content/rich-text";
import { toUuid } from "~/domain/shared/ids";
import { CONTENT_COMMANDS_MAX } from "~/domain/shared/limits";
import type { Lang, Uuid } from "~/domain/shared/model";
import type { Edit, Values } from "~/features/content/editor/content";
import { toCommand } from "~/features/content/editor/queue";
import type { ContentErrors } from "~/forms/content/content-field";
import type { MediaItemInput } from "~/forms/content/media-item-input";
import type { TagFormInput } from "~/forms/content/tag-form-input";
import { packMessage } from "~/forms/shared/user-message";
import type { UploadOutcome } from "../../library/list/upload.server";
import { listHref, type ScenePart } from "./panels";

/** Submitted form of the editor's panel. */
export interface ContentPost {
  readonly request: Request;
  readonly form: FormData;
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly eventId: Uuid;
}

/** Result of a content form that was not, or not completely, applied. */
export interface ContentOutcome {
  /** Distinguishes this result from that of the event's form, which has no `action`. */
  readonly action: "content";
  /** Packed message about the whole form; null if there is none. */
  readonly problem: string | null;
  /** Values and errors of the rejected form. */
  readonly tag?: { readonly input: TagFormInput; readonly errors: ContentErrors };
  readonly mediaItem?: { readonly input: MediaItemInput; readonly errors: ContentErrors };
  /** Rejected form of the start view, of a stop or of the floor plan, with the values that it was filled from, as JSON. */
  readonly scene?: {
    /** Panel of the form. */
    readonly part: ScenePart;
    readonly input: Readonly<Record<string, string>>;
    readonly errors: ContentErrors;
    readonly originalValues: string;
  };
  /** Parsed texts of the form by language, for the preview. */
  readonly preview?: Readonly<Record<Lang, RichText>>;
  /** Titles of items that could not be copied because of a limit, and of tags that were copied without all of their media. */
  readonly copy?: {
    readonly copiedCount: number;
    /** Id of the target event. */
    readonly to: Uuid;
    readonly rejectedTitles: readonly string[];
    readonly incompleteTitles: readonly string[];
  };
  /** Result of an upload that did not store all files. */
  readonly upload?: UploadOutcome;
  /** Rejected URL of a web media item. */
  readonly web?: { readonly typed: string; readonly problem: string };
  /**
   * Conflict with another editor: the saved version, its values by field, and this form's values. Submitting the form again overwrites the saved values.
   * `version` is 0 for the scene, whose forms submit their original values instead.
   */
  readonly conflict?: { readonly version: number; readonly saved: Values; readonly localValues: Values };
}

/** Creates the response to a rejected form of the panel. */
export const rejectContent = (status: number, outcome: Partial<ContentOutcome>) =>
  data<ContentOutcome>({ action: "content", problem: null, ...outcome }, { status });

/**
 * Redirects to the list of the request's URL.
 * @param overrides parameters that are added: messages, or the item or the picker that opens
 * @param fragment id of the element to which the page scrolls, or an empty text
 */
export function redirectToList(
  post: Pick<ContentPost, "request">,
  overrides: Readonly<Record<string, string>>,
  fragment = "",
): never {
  const { pathname, searchParams } = new URL(post.request.url);
  throw redirect(`${pathname}${listHref(searchParams, overrides)}${fragment && `#${fragment}`}`);
}

/** Messages for rejected commands, by reason. */
export const REJECTION_MESSAGES = {
  stale: "content:rejected.stale",
  not_found: "content:rejected.gone",
  invalid: "content:rejected.invalid",
  limit: "content:rejected.limit",
  content_full: "content:errors.limits.content",
  forbidden: "content:rejected.forbidden",
} as const;

/** Applies edits to the saved content in as few calls as the limit allows. Returns the result of each edit, and the ids of the calls. */
export async function sendEdits(
  post: Omit<ContentPost, "form">,
  content: EventContent,
  edits: readonly Edit[],
) {
  const { context, actor, eventId } = post;
  const savedContent = { ...content, deleted: {} };
  const commands: ContentCommand[] = edits.map((edit) => toCommand(edit, savedContent));
  const results: CommandResult[] = [];
  const callIds: Uuid[] = [];
  for (let offset = 0; offset < commands.length; offset += CONTENT_COMMANDS_MAX) {
    const batch = commands.slice(offset, offset + CONTENT_COMMANDS_MAX);
    const result = await context.services.content.editContent({ actor, eventId, commands: batch });
    results.push(...result.results);
    callIds.push(result.callId);
  }
  return { results, callIds };
}

/** Message and status of the first rejected result; null if all commands were applied. */
export function firstRejection(results: readonly CommandResult[]) {
  for (const result of results) {
    if (result.ok) continue;
    const firstError = Object.values(result.errors ?? {})[0]?.[0];
    const status = result.reason === "stale" ? 409 : result.reason === "not_found" ? 404 : 400;
    return { status, problem: packMessage({ key: firstError ?? REJECTION_MESSAGES[result.reason] }) };
  }
  return null;
}

/** Type of the items that the form changes. */
export const readPartType = (form: FormData): PartType => (form.get("type") === "media" ? "media" : "tag");

/** Ids of the selected items. */
export const readSelectedIds = (form: FormData): Uuid[] =>
  form.getAll("item").flatMap((value) => toUuid(value) ?? []);
