import { toUuid } from "~/domain/ids";
import { CONTENT_COMMANDS_MAX } from "~/domain/limits";
import { packWords } from "~/forms/words";
import {
  backTo,
  type ContentPost,
  idsOf,
  partType,
  refusalOf,
  refuseContent,
  sendEdits,
} from "./content-post.server";
import { mediumForm, tagForm } from "./item-forms.server";
import { listEdits, readListAct } from "./list-acts";
import { addPicked } from "./pick-action.server";
import { productAction } from "./product-forms.server";
import { sceneAction } from "./scene-forms.server";

/** What any of the panel's forms does without scripts; null for a form of another kind. */
export async function contentAction(post: ContentPost) {
  switch (post.form.get("intent")) {
    case "list":
      return listForm(post);
    case "tag":
      return tagForm(post);
    case "medium":
      return mediumForm(post);
    case "pick":
      return addPicked(post);
    case "copy":
      return copyForm(post);
    default:
      return (await productAction(post)) ?? sceneAction(post);
  }
}

async function listForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const asked = String(form.get("do") ?? "");
  if (asked === "copy") {
    const ids = idsOf(form);
    if (ids.length === 0) return refuseContent(400, { problem: "tree.nothingChosen" });
    if (ids.length > CONTENT_COMMANDS_MAX)
      return refuseContent(400, {
        problem: packWords({ key: "editor.tooMany", values: { count: CONTENT_COMMANDS_MAX } }),
      });
    return backTo(post, { copy: ids.join(" ") });
  }
  const act = readListAct(asked);
  if (!act) return refuseContent(400, { problem: "editor.refused.invalid" });
  const only = toUuid(act.only);
  const ids = only ? [only] : idsOf(form);
  if (ids.length === 0) return refuseContent(400, { problem: "tree.nothingChosen" });
  const content = await context.services.content.getContent({ actor, eventId });
  const type = partType(form);
  const edits = listEdits(content, act.act, type, ids, () => crypto.randomUUID());
  const refusal = refusalOf(await sendEdits(post, content, edits));
  if (refusal) return refuseContent(refusal.status, { problem: refusal.problem });
  const done = edits.flatMap((edit) => ("id" in edit ? [edit.id] : []));
  // No toast: without scripts it would stay, and lie over the buttons.
  return backTo(post, act.act === "delete" ? { restore: done.join(" ") } : { done: act.act });
}

async function copyForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const targetEventId = toUuid(form.get("targetEventId"));
  if (targetEventId === null) return refuseContent(400, { problem: "editor.copy.choose" });
  const ids = idsOf(form);
  const items = partType(form) === "tag" ? { tags: ids, media: [] } : { tags: [], media: ids };
  const copied = await context.attempt(
    context.services.content.copyContent({ actor, eventId, items, targetEventId }),
  );
  if (!copied.ok)
    return refuseContent(copied.failure.status, {
      problem: copied.failure.status === 404 ? "editor.copy.gone" : packWords(copied.failure.words),
    });
  const refusal = refusalOf(copied.value.results);
  if (refusal) return refuseContent(refusal.status, { problem: refusal.problem });
  return backTo(post, { toast: "content-copied" });
}
