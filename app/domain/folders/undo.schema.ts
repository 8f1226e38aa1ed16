import * as z from "zod";
import { EVENT_STATUS_IDS } from "../events/status";
import { TREE_KINDS } from "./tree";

/** Maximum number of items of a change that can be undone, because the URL contains the items. */
export const UNDO_ITEMS_MAX = 40;

const refSchema = z.object({ kind: z.enum(TREE_KINDS), id: z.uuid() });

/**
 * The change that undoes a deletion or a move of items, the renaming of one item (from the name `from` to the name `to`), the deletion of
 * an event, or its opening before its start.
 */
export const undoSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("restore"), refs: z.array(refSchema) }),
  z.object({
    act: z.literal("moveBack"),
    groups: z.array(z.object({ folderId: z.uuid(), refs: z.array(refSchema) })),
  }),
  z.object({ act: z.literal("renameBack"), ref: refSchema, from: z.string(), to: z.string() }),
  z.object({ act: z.literal("restoreEvent"), eventId: z.uuid() }),
  z.object({ act: z.literal("waitUntilStart"), eventId: z.uuid(), statusId: z.literal(EVENT_STATUS_IDS) }),
]);

/** A change that undoes another one. */
export type Undo = z.infer<typeof undoSchema>;
