import { toUuid } from "~/domain/shared/ids";
import { CONTENT_COMMANDS_MAX } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import type { Edit } from "~/features/content/editor/content";
import { packMessage } from "~/forms/shared/user-message";
import { productAction } from "../../store/products/product-forms.server";
import { mediumForm, tagForm } from "../items/item-forms.server";
import { createdIds, listEdits, parseListAction } from "../list/list-actions";
import { addPicked } from "../media-picker/pick-action.server";
import { sceneAction } from "../scene/scene-forms.server";
import {
  backTo,
  type ContentPost,
  firstRejection,
  idsOf,
  partType,
  rejectContent,
  sendEdits,
} from "./content-post.server";

/** Handles the forms of the content panels without scripts; null for any other form. */
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

/** Maximal number of copies in the redirect's address, which the list then shows selected. */
const COPIES_IN_ADDRESS = 50;

async function listForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const formAction = String(form.get("do") ?? "");
  if (formAction === "copy") {
    const ids = idsOf(form);
    if (ids.length === 0) return rejectContent(400, { problem: "folders:nothingChosen" });
    if (ids.length > CONTENT_COMMANDS_MAX)
      return rejectContent(400, {
        problem: packMessage({ key: "content:tooMany", values: { count: CONTENT_COMMANDS_MAX } }),
      });
    return backTo(post, { copy: ids.join(" ") });
  }
  const act = parseListAction(formAction);
  if (!act) return rejectContent(400, { problem: "content:refused.invalid" });
  const acts = form.getAll("act").flatMap((value) => toUuid(value) ?? []);
  if (act.act === "restore" && acts.length > 0) return restoreForm(post, acts);
  const only = toUuid(act.only);
  const ids = only ? [only] : idsOf(form);
  if (ids.length === 0) return rejectContent(400, { problem: "folders:nothingChosen" });
  const content = await context.services.content.getContent({ actor, eventId });
  const type = partType(form);
  const edits = listEdits(content, act.act, type, ids, () => crypto.randomUUID());
  // The copies are changed by a request of their own, because their versions are known only after the first one.
  const copies = createdIds(edits);
  const isLater = (edit: Edit) => edit.op === "update_media" && copies.includes(edit.id);
  const later = edits.filter(isLater);
  const sent = await sendEdits(
    post,
    content,
    edits.filter((edit) => !isLater(edit)),
  );
  const refusal = firstRejection(sent.results);
  if (refusal) return rejectContent(refusal.status, { problem: refusal.problem });
  if (later.length > 0) {
    const content = await context.services.content.getContent({ actor, eventId });
    const problem = firstRejection((await sendEdits(post, content, later)).results);
    if (problem) return rejectContent(problem.status, { problem: problem.problem });
  }
  // There is no toast: without scripts it would stay and cover the buttons. The address contains the ids of the actions, because the ids of all
  // deleted items do not fit.
  return backTo(
    post,
    act.act === "delete"
      ? { deleted: sent.acts.join(" "), count: String(edits.length) }
      : { done: act.act, ...(copies.length > 0 && { copies: copies.slice(0, COPIES_IN_ADDRESS).join(" ") }) },
  );
}

/** Restores the items that the previous form deleted. */
async function restoreForm(post: ContentPost, acts: readonly Uuid[]) {
  const { form, context, actor, eventId } = post;
  const type = partType(form);
  const { results } = await context.services.content.restoreDeleted({ actor, eventId, type, acts });
  const refusal = firstRejection(results);
  if (refusal) return rejectContent(refusal.status, { problem: refusal.problem });
  return backTo(post, { done: "restore" });
}

async function copyForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const targetEventId = toUuid(form.get("targetEventId"));
  if (targetEventId === null) return rejectContent(400, { problem: "content:copy.choose" });
  const ids = idsOf(form);
  const items = partType(form) === "tag" ? { tags: ids, media: [] } : { tags: [], media: ids };
  const copied = await context.attempt(
    context.services.content.copyContent({ actor, eventId, items, targetEventId }),
  );
  if (!copied.ok)
    return rejectContent(copied.failure.status, {
      problem: copied.failure.status === 404 ? "content:copy.gone" : packMessage(copied.failure.userMessage),
    });
  const { results, originalIds, incomplete } = copied.value;
  const done = results.filter(({ ok }) => ok).length;
  if (done === results.length && incomplete.length === 0) return backTo(post, { copied: targetEventId });
  const { tags, media } = await context.services.content.getContent({ actor, eventId });
  const titles = new Map(
    [...tags, ...media].map(({ id, title }) => [id, inLanguage(title, context.lang).text]),
  );
  return rejectContent(409, {
    copy: {
      done,
      to: targetEventId,
      refused: results.flatMap(({ ok }, i) => (ok ? [] : [titles.get(originalIds[i] ?? "") ?? ""])),
      lacking: incomplete.map(({ id }) => titles.get(id) ?? ""),
    },
  });
}
