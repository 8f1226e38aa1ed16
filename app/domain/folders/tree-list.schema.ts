import { readMediaKinds } from "../library/media-kinds";
import { type Cursor, readCursor } from "../shared/cursor";
import { isUuid } from "../shared/ids";
import type { FolderType, MediaKind, Uuid } from "../shared/model";
import { LEAF_OF, TREE_BATCH_MAX, TREE_KINDS, type TreeKind } from "./tree";

/** What the content of a folder can be sorted by. */
export const TREE_SORTS = ["name", "created", "updated"] as const;
/** One of the orders of a folder's content. */
export type TreeSortName = (typeof TREE_SORTS)[number];

/** Which list a screen with folders shows: a folder, everything without its folders, or the trash. */
export type TreeShow = "folder" | "all" | "trash";
/** How a folder's content is drawn. */
export type TreeView = "cards" | "rows";

/** What the address of a screen with folders asks for. */
export interface TreeListQuery {
  readonly show: TreeShow;
  readonly view: TreeView;
  readonly sort: TreeSortName;
  readonly direction: "asc" | "desc";
  readonly cursor: Cursor;
  /** Only media of these kinds; empty for everything. */
  readonly kinds: readonly MediaKind[];
}

/** Names from their beginning and the newest first: the way in which each order is asked for first. */
export const naturalTreeDirection = (sort: TreeSortName): "asc" | "desc" =>
  sort === "name" ? "asc" : "desc";

/** An order as an address carries it: "updated", or "-updated" from its end. */
export const writeTreeSort = (sort: TreeSortName, direction: "asc" | "desc"): string =>
  `${direction === "desc" ? "-" : ""}${sort}`;

/** The list that an address asks for: ?show, ?view, ?sort, ?cursor, ?kind (as often as there are kinds). What is not valid is as if missing; a search shows all. */
export function parseTreeListQuery(params: URLSearchParams): TreeListQuery {
  const show = params.get("show");
  const [, minus, named] = /^(-?)(\w+)$/.exec(params.get("sort") ?? "") ?? [];
  const sort = TREE_SORTS.find((each) => each === named) ?? "name";
  return {
    show: show === "trash" ? "trash" : show === "all" || params.get("q") ? "all" : "folder",
    view: params.get("view") === "rows" ? "rows" : "cards",
    sort,
    direction: sort === named && minus === "-" ? "desc" : "asc",
    cursor: readCursor(params.get("cursor")),
    kinds: readMediaKinds(params.getAll("kind")),
  };
}

/** Parameters that say which page of which list is shown, and not what is being done to it. */
const LIST_PARAMS = ["show", "view", "sort", "cursor", "q", "page"] as const;

/** The address of the list without a dialog, what is chosen, or a toast. */
export function treeListParams(params: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams();
  for (const name of LIST_PARAMS) {
    const value = params.get(name);
    if (value) kept.set(name, value);
  }
  for (const kind of readMediaKinds(params.getAll("kind"))) kept.append("kind", kind);
  return kept;
}

/** The dialogs of a screen with folders. */
export const TREE_DIALOGS = ["new-folder", "rename", "move", "copy", "delete"] as const;
/** One of the dialogs. */
export type TreeDialog = (typeof TREE_DIALOGS)[number];

/** The dialog that an address asks for; null for none, and for one that is not about folders. */
export const readTreeDialog = (value: string | null): TreeDialog | null =>
  TREE_DIALOGS.find((each) => each === value) ?? null;

/** A thing by its kind and id. */
export interface TreeRef {
  readonly kind: TreeKind;
  readonly id: Uuid;
}

/** A thing as a form or an address names it: "folder~<id>". */
export const writeTreeRef = ({ kind, id }: TreeRef): string => `${kind}~${id}`;

/**
 * The things that a form or an address names, each once, at most one more than may be changed at once. A value may name
 * several, with spaces between them. What lies in no folder of that type, or is no name of a thing, is left out.
 */
export function readTreeRefs(values: readonly string[], folderType: FolderType): readonly TreeRef[] {
  const found = new Map<string, TreeRef>();
  for (const value of values)
    for (const text of value.split(" ")) {
      if (found.size > TREE_BATCH_MAX) return [...found.values()];
      const [name, id, ...more] = text.slice(0, 64).split("~");
      const kind = TREE_KINDS.find((each) => each === name);
      if (!kind || more.length > 0 || !isUuid(id)) continue;
      if (kind === "folder" || kind === LEAF_OF[folderType]) found.set(text, { kind, id });
    }
  return [...found.values()];
}

/** The same sorted by kind. */
export const selectTreeRefs = (refs: readonly TreeRef[]): Readonly<Record<TreeKind, readonly Uuid[]>> => ({
  folder: refs.filter(({ kind }) => kind === "folder").map(({ id }) => id),
  space: refs.filter(({ kind }) => kind === "space").map(({ id }) => id),
  media: refs.filter(({ kind }) => kind === "media").map(({ id }) => id),
});
