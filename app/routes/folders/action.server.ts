import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/cloudflare";
import type { TreeResult } from "#functions/services/folders/tree-access";
import { createFolderSchema, createRenameSchema } from "~/domain/folders/folder.schema";
import { COPY_BATCH_MAX, RESTORE_BATCH_MAX, TREE_BATCH_MAX } from "~/domain/folders/tree";
import { groupTreeIds, readTreeRefs, type TreeRef } from "~/domain/folders/tree-list.schema";
import { UNDO_ITEMS_MAX, type Undo } from "~/domain/folders/undo.schema";
import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";
import { rejectForm } from "~/forms/shared/reject-form";
import { packMessage } from "~/forms/shared/user-message";
import { redirectWithToast, type TreePost } from "./redirect-with-toast.server";
import { createMoveBack } from "./undo.server";

/** Actions on one or several items. */
export type BatchAction = "move" | "copy" | "delete" | "restore";

/** Result of a form that was not, or not completely, applied. */
export interface TreeOutcome {
  readonly action: "new-folder" | "rename" | BatchAction;
  readonly lastResult: SubmissionResult<string[]> | null;
  /** Item of the rename form. `isConflict`: it was changed meanwhile, and `name` and `version` are its current ones. */
  readonly item:
    | (TreeRef & { readonly name: string; readonly version: string; readonly isConflict: boolean })
    | null;
  /** Result for each item of a BatchAction. */
  readonly results: readonly TreeResult[];
  /** Message of the reason why nothing was changed, packed into one string (its key and values); null if there is none. */
  readonly problem: string | null;
}

const EMPTY_OUTCOME = { lastResult: null, item: null, results: [], problem: null } as const;

const respondWithOutcome = (status: number, outcome: Pick<TreeOutcome, "action"> & Partial<TreeOutcome>) =>
  data<TreeOutcome>({ ...EMPTY_OUTCOME, ...outcome }, { status });

/** Creates folders, and renames, moves, copies, deletes and restores items; null for any other form. */
export async function treeAction(post: TreePost) {
  const intent = post.form.get("intent");
  if (intent === "new-folder") return createFolder(post);
  if (intent === "rename") return renameItem(post);
  if (intent === "move" || intent === "copy" || intent === "delete" || intent === "restore")
    return changeItems(post, intent);
  return null;
}

async function createFolder(post: TreePost) {
  const { context, actor, folderType, ownerId, folderId } = post;
  const { tree } = context.services;
  const action = "new-folder";
  const submission = parseWithZod(post.form, { schema: createFolderSchema() });
  if (submission.status !== "success") {
    // For a folder that does not exist, this throws before a form with errors is returned.
    await tree.listFolder({ actor, folderType, ownerId, folderId });
    return respondWithOutcome(400, { action, lastResult: submission.reply() });
  }
  const { name } = submission.value;
  const result = await context.attempt(
    tree.createFolder({ actor, folderType, ownerId, parentId: folderId, name }),
  );
  if (result.ok)
    return redirectWithToast(post, "folder-created", {
      changedItems: [{ kind: "folder", id: result.value.id }],
    });
  if (result.failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
  return respondWithOutcome(result.failure.status, {
    action,
    lastResult: rejectForm(submission, result.failure),
  });
}

async function renameItem(post: TreePost) {
  const { context, actor, folderType, form } = post;
  const { tree } = context.services;
  const action = "rename";
  const [ref] = readTreeRefs(form.getAll("item").map(String), folderType);
  if (!ref) return respondWithOutcome(400, { action, problem: "folders:nothingChosen" });
  const [saved] = await tree.getItems({ actor, selection: groupTreeIds([ref]) });
  if (!saved) return respondWithOutcome(404, { action, problem: "folders:rejected.gone" });
  const submission = parseWithZod(form, { schema: createRenameSchema(ref.kind) });
  const item = { ...ref, name: saved.name, version: String(form.get("version")), isConflict: false };
  if (submission.status !== "success")
    return respondWithOutcome(400, { action, lastResult: submission.reply(), item: { ...item } });
  const renameResult = await context.attempt(tree.renameItem({ actor, ...ref, ...submission.value }));
  if (!renameResult.ok)
    return respondWithOutcome(renameResult.failure.status, {
      action,
      lastResult: rejectForm(submission, renameResult.failure),
      item,
    });
  if (renameResult.value.status !== "conflict") {
    const names = { from: saved.name, to: submission.value.name };
    return redirectWithToast(post, "item-renamed", {
      undo: { act: "renameBack", ref, ...names },
      changedItems: [ref],
      names: [names.to],
    });
  }
  const { name, version } = renameResult.value.saved;
  const conflict = { ...ref, name, version: String(version), isConflict: true };
  return respondWithOutcome(409, { action, lastResult: submission.reply(), item: conflict });
}

const TOASTS = {
  move: "items-moved",
  copy: "items-copied",
  delete: "items-deleted",
  restore: "items-restored",
} as const;

async function changeItems(post: TreePost, action: BatchAction) {
  const { context, actor, folderType, folderId, form } = post;
  const { tree, copies } = context.services;
  // The button of a single item ignores the selection.
  const onlyItem = form.getAll("only");
  const refs = readTreeRefs((onlyItem.length > 0 ? onlyItem : form.getAll("item")).map(String), folderType);
  if (refs.length === 0) return respondWithOutcome(400, { action: action, problem: "folders:nothingChosen" });
  const maxItems = {
    copy: COPY_BATCH_MAX,
    restore: RESTORE_BATCH_MAX,
    move: TREE_BATCH_MAX,
    delete: TREE_BATCH_MAX,
  }[action];
  if (refs.length > maxItems)
    return respondWithOutcome(400, {
      action: action,
      problem: packMessage({ key: "folders:tooMany", values: { count: maxItems } }),
    });
  const selection = groupTreeIds(refs);
  // After the displayed folder was deleted, its parent is displayed.
  const parentFolder =
    action === "delete" && folderId !== undefined && selection.folder.includes(folderId)
      ? (await tree.getPath({ actor, folderId })).path.at(-2)
      : undefined;
  const targetFolderId = toUuid(form.get("folderId"));
  if ((action === "move" || action === "copy") && targetFolderId === null)
    return respondWithOutcome(400, { action: action, problem: "folders:chooseFolder" });
  const isUndoable = refs.length <= UNDO_ITEMS_MAX;
  const undo: Undo | null = !isUndoable
    ? null
    : action === "move"
      ? await createMoveBack(context, actor, refs)
      : action === "delete"
        ? { act: "restore", refs: [...refs] }
        : null;
  const attempt = await context.attempt(
    action === "move"
      ? tree.moveItems({ actor, selection, folderId: targetFolderId ?? "" })
      : action === "copy"
        ? copies.copyItems({ actor, selection, folderId: targetFolderId ?? "", lang: context.lang })
        : action === "delete"
          ? tree.deleteItems({ actor, selection })
          : tree.restoreItems({ actor, selection }),
  );
  if (!attempt.ok) {
    const { status, userMessage } = attempt.failure;
    return respondWithOutcome(status, {
      action: action,
      problem: status === 404 ? "folders:targetGone" : packMessage(userMessage),
    });
  }
  const results = attempt.value;
  const failedCount = results.filter(({ rejection }) => rejection !== null).length;
  if (failedCount > 0)
    return respondWithOutcome(failedCount < results.length ? 200 : 400, { action: action, results });
  const { pathname } = new URL(post.request.url);
  const path = (parentFolder && pathname.replace(/\/folders\/[^/]+$/, pathEnd(parentFolder))) || undefined;
  return redirectWithToast(post, TOASTS[action], {
    path: path ?? (action === "delete" ? post.afterDelete : undefined),
    undo,
    changedItems: action === "move" || action === "restore" ? refs : [],
    names: results.map(({ name }) => name),
  });
}

/** Last part of a folder's URL; empty for a root folder. */
const pathEnd = ({ id, parentId }: { readonly id: Uuid; readonly parentId: Uuid | null }) =>
  parentId === null ? "" : `/folders/${id}`;
