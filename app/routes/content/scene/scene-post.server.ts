import type { EventContent, SceneValues } from "~/domain/content/content";
import { type Edit, pickValues, type Values } from "~/features/content/editor/content";
import type { ContentErrors } from "~/forms/content/content-field";
import { type ContentPost, firstRejection, rejectContent, sendEdits } from "../editor/content-post.server";
import type { ScenePart } from "../editor/panels";
import type { Merged } from "./scene-merge";

/** Reads all content of the form's event. */
export const contentOf = ({ context, actor, eventId }: ContentPost) =>
  context.services.content.getContent({ actor, eventId });

/**
 * Values that a form was filled from; null if they are invalid. The form submits them, so that another editor's change of a different field
 * causes no conflict.
 */
export function filledFrom<T>(
  form: FormData,
  read: (value: unknown) => { success: true; data: T } | { success: false },
) {
  try {
    const previous = read(JSON.parse(String(form.get("was"))));
    return previous.success ? previous.data : null;
  } catch {
    return null;
  }
}

/** Saves values of the scene, after other edits. */
export async function save(
  post: ContentPost,
  content: EventContent,
  values: Partial<SceneValues>,
  first: readonly Edit[] = [],
) {
  const { results } = await sendEdits(post, content, [...first, { op: "update_scene", values }]);
  return firstRejection(results);
}

/** Rejected form. */
export interface RejectedForm {
  readonly part: ScenePart;
  readonly input: Readonly<Record<string, string>>;
  readonly errors: ContentErrors;
}

/** Response with both versions of the fields that two editors changed. */
export const clash = (came: RejectedForm, { clashes }: Merged, mine: Values, saved: Values, was: unknown) =>
  rejectContent(409, {
    scene: { ...came, was: JSON.stringify(was) },
    conflict: { version: 0, saved: pickValues(saved, clashes), mine: pickValues(mine, clashes) },
  });

/** Query after a form was saved. */
export const SAVED = { toast: "content-saved" };
