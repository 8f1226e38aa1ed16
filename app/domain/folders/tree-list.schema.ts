import { readMediaKinds } from "../library/media-kinds";
import { type Cursor, readCursor } from "../shared/cursor";
import { isUuid } from "../shared/ids";
import type { FolderType, MediaKind, Uuid } from "../shared/model";
import { LEAF_OF, TREE_BATCH_MAX, TREE_KINDS, type TreeKind } from "./tree";

/** Fields by which the content of a folder can be sorted. */
export const TREE_SORTS = ["name", "created", "updated"] as const;
/** One of the sort fields. */
export type TreeSortName = (typeof TREE_SORTS)[number];

/** The list on a screen with folders: the contents of a folder, all items regardless of folders, or the trash. */
export type TreeShow = "folder" | "all" | "trash";
/** Layout of a folder's content. */
export type TreeView = "cards" | "rows";

/** Parameters of the URL of a screen with folders. */
export interface TreeListQuery {
  readonly show: TreeShow;
  readonly view: TreeView;
  readonly sort: TreeSortName;
  readonly direction: "asc" | "desc";
  readonly cursor: Cursor;
  /** Kinds of media to show; empty for all. */
  readonly kinds: readonly MediaKind[];
}

/** Returns the default direction of a sort field: names ascend, dates descend. */
export const defaultTreeDirection = (sort: TreeSortName): "asc" | "desc" =>
  sort === "name" ? "asc" : "desc";

/** Writes a sort order for a URL: "updated", or "-updated" for the descending order. */
export const writeTreeSort = (sort: TreeSortName, direction: "asc" | "desc"): string =>
  `${direction === "desc" ? "-" : ""}${sort}`;

/**
 * Reads the parameters of a list's URL: ?show, ?view, ?sort, ?cursor, ?kind (repeatable). Invalid values count as missing. A search (?q) outside the
 * trash shows all items.
 */
export function parseTreeListQuery(params: URLSearchParams): TreeListQuery {
  const show = params.get("show");
  const [, minus, sortName] = /^(-?)(\w+)$/.exec(params.get("sort") ?? "") ?? [];
  const sort = TREE_SORTS.find((treeSort) => treeSort === sortName) ?? "name";
  return {
    show: show === "trash" ? "trash" : show === "all" || params.get("q") ? "all" : "folder",
    view: params.get("view") === "rows" ? "rows" : "cards",
    sort,
    direction: sort === sortName && minus === "-" ? "desc" : "asc",
    cursor: readCursor(params.get("cursor")),
    kinds: readMediaKinds(params.getAll("kind")),
  };
}

/** Parameters that identify the list and its page, except the repeatable `kind`. */
const LIST_PARAMS = ["show", "view", "sort", "cursor", "q", "page"] as const;

/** Returns a list's parameters without those of a dialog, a selection or a toast. */
export function treeListParams(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of LIST_PARAMS) {
    const value = params.get(name);
    if (value) query.set(name, value);
  }
  for (const kind of readMediaKinds(params.getAll("kind"))) query.append("kind", kind);
  return query;
}

/** The dialogs of a screen with folders. */
export const TREE_DIALOGS = ["new-folder", "rename", "move", "copy", "delete"] as const;
/** The name of one of the dialogs, in the URL. */
export type TreeDialogName = (typeof TREE_DIALOGS)[number];

/** Returns the dialog that a URL names; null for none, and for a dialog that does not concern folders. */
export const readTreeDialogName = (value: string | null): TreeDialogName | null =>
  TREE_DIALOGS.find((dialog) => dialog === value) ?? null;

/** An item by its kind and id. */
export interface TreeRef {
  readonly kind: TreeKind;
  readonly id: Uuid;
}

/** Writes an item for a form or a URL: "folder~<id>". */
export const writeTreeRef = ({ kind, id }: TreeRef): string => `${kind}~${id}`;

/**
 * Reads the items in a form or a URL, without duplicates: at most one more than may be changed at once, so that the caller can detect an excess. A
 * value may contain several, separated by spaces. Ignores invalid names and kinds that folders of that type do not contain.
 */
export function readTreeRefs(values: readonly string[], folderType: FolderType): readonly TreeRef[] {
  const refs = new Map<string, TreeRef>();
  for (const value of values)
    for (const text of value.split(" ")) {
      if (refs.size > TREE_BATCH_MAX) return [...refs.values()];
      const [name, id, ...rest] = text.slice(0, 64).split("~");
      const kind = TREE_KINDS.find((treeKind) => treeKind === name);
      if (!kind || rest.length > 0 || !isUuid(id)) continue;
      if (kind === "folder" || kind === LEAF_OF[folderType]) refs.set(text, { kind, id });
    }
  return [...refs.values()];
}

/** Returns the ids of items, grouped by kind. */
export const groupTreeIds = (refs: readonly TreeRef[]): Readonly<Record<TreeKind, readonly Uuid[]>> => ({
  folder: refs.filter(({ kind }) => kind === "folder").map(({ id }) => id),
  space: refs.filter(({ kind }) => kind === "space").map(({ id }) => id),
  media: refs.filter(({ kind }) => kind === "media").map(({ id }) => id),
});
