import { toUuid } from "~/domain/shared/ids";
import { CONTENT_COMMANDS_MAX } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import type { Edit } from "~/features/content/editor/content";
import { packMessage } from "~/forms/shared/user-message";
import { handleProductForm } from "../../store/products/product-forms.server";
import { handleMediaItemForm, handleTagForm } from "../items/item-forms.server";
import { createdIds, listEdits, parseListAction } from "../list/list-actions";
import { handlePickForm } from "../media-picker/pick-action.server";
import { handleSceneForm } from "../scene/scene-forms.server";
import {
  type ContentPost,
  firstRejection,
  readPartType,
  readSelectedIds,
  redirectToList,
  rejectContent,
  sendEdits,
} from "./content-post.server";

/** Handles the forms of the content panels; null for any other form. */
export async function contentAction(post: ContentPost) {
  switch (post.form.get("intent")) {
    case "list":
      return handleListForm(post);
    case "tag":
      return handleTagForm(post);
    case "medium":
      return handleMediaItemForm(post);
    case "pick":
      return handlePickForm(post);
    case "copy":
      return handleCopyForm(post);
    default:
      return (await handleProductForm(post)) ?? handleSceneForm(post);
  }
}

/** Maximum number of copies in the redirect's URL, which the list then shows selected. */
const COPIES_IN_URL_MAX = 50;

async function handleListForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const formAction = String(form.get("do") ?? "");
  if (formAction === "copy") {
    const ids = readSelectedIds(form);
    if (ids.length === 0) return rejectContent(400, { problem: "folders:nothingChosen" });
    if (ids.length > CONTENT_COMMANDS_MAX)
      return rejectContent(400, {
        problem: packMessage({ key: "content:tooMany", values: { count: CONTENT_COMMANDS_MAX } }),
      });
    return redirectToList(post, { copy: ids.join(" ") });
  }
  const parsed = parseListAction(formAction);
  if (!parsed) return rejectContent(400, { problem: "content:rejected.invalid" });
  const callIds = form.getAll("act").flatMap((value) => toUuid(value) ?? []);
  if (parsed.action === "restore" && callIds.length > 0) return restoreItems(post, callIds);
  const onlyId = toUuid(parsed.onlyId);
  const ids = onlyId ? [onlyId] : readSelectedIds(form);
  if (ids.length === 0) return rejectContent(400, { problem: "folders:nothingChosen" });
  const content = await context.services.content.getContent({ actor, eventId });
  const type = readPartType(form);
  const edits = listEdits(content, parsed.action, type, ids, () => crypto.randomUUID());
  // The copies are changed in a second step, because their versions are known only after the first one.
  const copies = createdIds(edits);
  const changesCopy = (edit: Edit) => edit.op === "update_media" && copies.includes(edit.id);
  const copyEdits = edits.filter(changesCopy);
  const sendResult = await sendEdits(
    post,
    content,
    edits.filter((edit) => !changesCopy(edit)),
  );
  const rejection = firstRejection(sendResult.results);
  if (rejection) return rejectContent(rejection.status, { problem: rejection.problem });
  if (copyEdits.length > 0) {
    const contentWithCopies = await context.services.content.getContent({ actor, eventId });
    const copyRejection = firstRejection((await sendEdits(post, contentWithCopies, copyEdits)).results);
    if (copyRejection) return rejectContent(copyRejection.status, { problem: copyRejection.problem });
  }
  // There is no toast: without scripts it would stay and cover the buttons. The URL contains the ids of the calls that
  // deleted items, because the ids of all deleted items do not fit.
  return redirectToList(
    post,
    parsed.action === "delete"
      ? { deleted: sendResult.callIds.join(" "), count: String(edits.length) }
      : {
          done: parsed.action,
          ...(copies.length > 0 && { copies: copies.slice(0, COPIES_IN_URL_MAX).join(" ") }),
        },
  );
}

/** Restores the items that the previous form deleted. */
async function restoreItems(post: ContentPost, callIds: readonly Uuid[]) {
  const { form, context, actor, eventId } = post;
  const type = readPartType(form);
  const { results } = await context.services.content.restoreDeleted({
    actor,
    eventId,
    type,
    callIds,
  });
  const rejection = firstRejection(results);
  if (rejection) return rejectContent(rejection.status, { problem: rejection.problem });
  return redirectToList(post, { done: "restore" });
}

async function handleCopyForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const targetEventId = toUuid(form.get("targetEventId"));
  if (targetEventId === null) return rejectContent(400, { problem: "content:copy.choose" });
  const ids = readSelectedIds(form);
  const items = readPartType(form) === "tag" ? { tags: ids, media: [] } : { tags: [], media: ids };
  const copyAttempt = await context.attempt(
    context.services.content.copyContent({ actor, eventId, items, targetEventId }),
  );
  if (!copyAttempt.ok)
    return rejectContent(copyAttempt.failure.status, {
      problem:
        copyAttempt.failure.status === 404
          ? "content:copy.gone"
          : packMessage(copyAttempt.failure.userMessage),
    });
  const { results, originalIds, incomplete } = copyAttempt.value;
  const copiedCount = results.filter(({ ok }) => ok).length;
  if (copiedCount === results.length && incomplete.length === 0)
    return redirectToList(post, { copied: targetEventId });
  const { tags, media } = await context.services.content.getContent({ actor, eventId });
  const titles = new Map(
    [...tags, ...media].map(({ id, title }) => [id, inLanguage(title, context.lang).text]),
  );
  return rejectContent(409, {
    copy: {
      copiedCount,
      to: targetEventId,
      rejectedTitles: results.flatMap(({ ok }, i) => (ok ? [] : [titles.get(originalIds[i] ?? "") ?? ""])),
      incompleteTitles: incomplete.map(({ id }) => titles.get(id) ?? ""),
    },
  });
}
