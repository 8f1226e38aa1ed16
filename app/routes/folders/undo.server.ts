import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { groupTreeIds, type TreeRef } from "~/domain/folders/tree-list.schema";
import { type Undo, undoSchema } from "~/domain/folders/undo.schema";
import { UNDO_MS } from "~/domain/shared/limits";
import { textIn } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";

const undoPurpose = (actor: Actor) => `undo ${actor.userId}`;

/** Seals the data that undoes a change, for the URL of the next page. Only the same user can open it. */
export const sealUndo = (context: AppLoadContext, actor: Actor, undo: Undo): string =>
  context.textSealer.seal(undoPurpose(actor), JSON.stringify(undo), UNDO_MS);

/** Reads the folders of the items before a move, so that an undo can move the items back to them. */
export async function createMoveBack(
  context: AppLoadContext,
  actor: Actor,
  refs: readonly TreeRef[],
): Promise<Undo> {
  const items = await context.services.tree.getItems({ actor, selection: groupTreeIds(refs) });
  const refsByFolder = new Map<Uuid, TreeRef[]>();
  for (const { kind, id, parentId } of items)
    if (parentId !== null) refsByFolder.set(parentId, [...(refsByFolder.get(parentId) ?? []), { kind, id }]);
  return {
    act: "moveBack",
    groups: [...refsByFolder].map(([folderId, folderRefs]) => ({ folderId, refs: folderRefs })),
  };
}

/** Result of an undo: the toast that reports it, and the names of the items whose change was undone. */
interface UndoResult {
  readonly toast: "undone" | "partly-undone" | "not-undone" | "undo-name-taken" | "event-waits";
  readonly names: readonly string[];
}

/** Undoes a sealed change. A seal that is invalid or too old undoes nothing (`not-undone`). */
export async function applyUndo(context: AppLoadContext, actor: Actor, sealed: string): Promise<UndoResult> {
  const text = context.textSealer.open(undoPurpose(actor), sealed);
  if (text === null) return { toast: "not-undone", names: [] };
  const undo = undoSchema.parse(JSON.parse(text));
  const { events, tree } = context.services;
  const attempt = await context.attempt(
    (async () => {
      if (undo.act === "restore") return tree.restoreItems({ actor, selection: groupTreeIds(undo.refs) });
      if (undo.act === "renameBack") {
        const [item] = await tree.getItems({ actor, selection: groupTreeIds([undo.ref]) });
        if (item?.name !== undo.to) return [{ name: "", rejection: "gone" }];
        const { status } = await tree.renameItem({
          actor,
          ...undo.ref,
          version: item.version,
          name: undo.from,
        });
        return [{ name: undo.from, rejection: status === "conflict" ? "gone" : null }];
      }
      if (undo.act === "waitUntilStart") {
        const isWaiting = await events.waitUntilStart({ actor, ...undo });
        return [{ name: "", rejection: isWaiting ? null : "gone" }];
      }
      if (undo.act === "restoreEvent") {
        const { eventId } = undo;
        await events.restoreEvent({ actor, eventId });
        const { event } = await events.getEvent({ actor, eventId });
        return [{ name: textIn(event.eventName, context.lang), rejection: null }];
      }
      const movedResults = [];
      for (const { folderId, refs } of undo.groups)
        movedResults.push(...(await tree.moveItems({ actor, folderId, selection: groupTreeIds(refs) })));
      return movedResults;
    })(),
  );
  if (!attempt.ok) {
    const isNameTaken = attempt.failure.code === "event_name_taken";
    return { toast: isNameTaken ? "undo-name-taken" : "not-undone", names: [] };
  }
  const names = attempt.value.filter(({ rejection }) => rejection === null).map(({ name }) => name);
  if (names.length === 0) return { toast: "not-undone", names };
  if (undo.act === "waitUntilStart") return { toast: "event-waits", names: [] };
  return { toast: names.length < attempt.value.length ? "partly-undone" : "undone", names };
}
