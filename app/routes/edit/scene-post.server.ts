import type { EventContent, SceneValues } from "~/domain/content/content";
import { type Edit, pickValues, type Values } from "~/editor/content";
import type { ContentErrors } from "~/forms/content-field";
import { type ContentPost, refusalOf, refuseContent, sendEdits } from "./content-post.server";
import type { ScenePart } from "./panels";
import type { Merged } from "./scene-merge";

/** All content of the event that a form is about. */
export const contentOf = ({ context, actor, eventId }: ContentPost) =>
  context.services.content.getContent({ actor, eventId });

/** What a form was filled from; null where that cannot be read. It came with it, so that somebody else's save of another field is none of its business. */
export function filledFrom<T>(
  form: FormData,
  read: (value: unknown) => { success: true; data: T } | { success: false },
) {
  try {
    const found = read(JSON.parse(String(form.get("was"))));
    return found.success ? found.data : null;
  } catch {
    return null;
  }
}

/** Saves values of the scene, with edits that go before. */
export async function save(
  post: ContentPost,
  content: EventContent,
  values: Partial<SceneValues>,
  first: readonly Edit[] = [],
) {
  const { results } = await sendEdits(post, content, [...first, { op: "update_scene", values }]);
  return refusalOf(results);
}

/** A form that comes back. */
export interface Came {
  readonly part: ScenePart;
  readonly input: Readonly<Record<string, string>>;
  readonly errors: ContentErrors;
}

/** The form with both versions of what two people changed. */
export const clash = (came: Came, { clashes }: Merged, mine: Values, saved: Values, was: unknown) =>
  refuseContent(409, {
    scene: { ...came, was: JSON.stringify(was) },
    conflict: { version: 0, saved: pickValues(saved, clashes), mine: pickValues(mine, clashes) },
  });

/** What is said after a form was saved. */
export const SAVED = { toast: "content-saved" };
