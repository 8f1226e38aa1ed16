import type { EventContent, SceneValues } from "~/domain/content/content";
import { type Edit, pickValues, type Values } from "~/features/content/editor/content";
import type { ContentErrors } from "~/forms/content/content-field";
import { type ContentPost, firstRejection, rejectContent, sendEdits } from "../editor/content-post.server";
import type { ScenePart } from "../editor/panels";
import type { MergedForm } from "./merge-form";

/** Reads all content of the form's event. */
export const readEventContent = ({ context, actor, eventId }: ContentPost) =>
  context.services.content.getContent({ actor, eventId });

/**
 * Values that a form was filled from; null if they are invalid. Forms submit them, so that another editor's change of a different field is not a
 * conflict.
 */
export function readOriginalValues<T>(
  form: FormData,
  read: (value: unknown) => { success: true; data: T } | { success: false },
) {
  try {
    const parsed = read(JSON.parse(String(form.get("was"))));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Saves values of the scene, after other edits. */
export async function saveScene(
  post: ContentPost,
  content: EventContent,
  values: Partial<SceneValues>,
  editsBefore: readonly Edit[] = [],
) {
  const { results } = await sendEdits(post, content, [...editsBefore, { op: "update_scene", values }]);
  return firstRejection(results);
}

/** Rejected form of the start view, of a stop or of the floor plan. */
export interface RejectedForm {
  readonly part: ScenePart;
  readonly input: Readonly<Record<string, string>>;
  readonly errors: ContentErrors;
}

/** Response with both versions of the fields that this form and another editor have changed. */
export const conflictResponse = (
  rejected: RejectedForm,
  { conflicts }: MergedForm,
  localValues: Values,
  saved: Values,
  originalValues: unknown,
) =>
  rejectContent(409, {
    scene: { ...rejected, originalValues: JSON.stringify(originalValues) },
    conflict: {
      // Forms of the scene submit their original values instead of a version.
      version: 0,
      saved: pickValues(saved, conflicts),
      localValues: pickValues(localValues, conflicts),
    },
  });

/** Query after a form was saved. */
export const SAVED_PARAMS = { toast: "content-saved" };
