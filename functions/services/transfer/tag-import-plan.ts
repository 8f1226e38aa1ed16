import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { type ReadCommand, readCommand } from "~/domain/content/command.schema";
import type { ContentCommand, MediaValues, TagValues } from "~/domain/content/content";
import { tagValuesFromJson } from "~/domain/content/content-json";
import type { LibraryItem } from "~/domain/library/library-item";
import { matchProvider } from "~/domain/library/web-media";
import { isEqual } from "~/domain/shared/is-equal";
import { EVENT_TAGS_MAX, MEDIA_TITLE_MAX, TAG_CSV_MAX_BYTES } from "~/domain/shared/limits";
import type { EventTag, Uuid, Vec3 } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import {
  COLUMNS_BY_FIELD,
  isNear,
  mediaNames,
  readFlagCell,
  readItemId,
  readKeywordsCell,
  readNumberCell,
  TAG_COLUMNS,
  type TagColumn,
} from "~/domain/transfer/tag-csv.schema";
import { type CsvEncoding, unescapeCell } from "~/domain/users/user-csv";
import type { loadVisible } from "../content/content";
import { type ErrorMessage, InvalidError } from "../shared/errors";
import { sha256Hex } from "../shared/sha256";
import type { CsvCodec, CsvRecord } from "../users/user-ports";

/** Dependencies of planning an import of tags. */
export interface TagImportPlanDeps {
  /** Loads the code of CSV files. */
  readonly csv: () => Promise<CsvCodec>;
  readonly library: Pick<Repositories["library"], "findAll">;
  readonly packages: Pick<Repositories["packages"], "listAlike">;
}

/** A problem in a line, with its column if there is one. */
export interface TagLineProblem {
  readonly column: TagColumn | null;
  readonly message: ErrorMessage;
}

/** A line of a file and its effect. */
export interface TagLine {
  /** Line number in the file at which the record begins, from 1. */
  readonly line: number;
  /** Id of the existing or new tag. Empty if the line has no known tag. */
  readonly id: string;
  readonly title: string;
  readonly outcome: "create" | "update" | "unchanged" | "error";
  /** The file's columns for the fields that an update changes. */
  readonly columns: readonly TagColumn[];
  readonly problems: readonly TagLineProblem[];
}

/** Changes that a file would make, or has made. */
export interface TagCsvReport {
  readonly encoding: CsvEncoding;
  readonly lines: readonly TagLine[];
  /** Whether the order of the tags changes. */
  readonly changesOrder: boolean;
  /** Tags that the file does not contain, if they are to be deleted. */
  readonly deleted: readonly { readonly id: Uuid; readonly title: string }[];
}

/** A read file: its report, and the commands that make its changes. */
export interface TagImportPlan {
  readonly report: TagCsvReport;
  readonly commands: readonly ContentCommand[];
  /** The line of each command that creates or updates a tag. */
  readonly lineOf: ReadonlyMap<ContentCommand, number>;
}

type Content = Awaited<ReturnType<typeof loadVisible>>;

const problem = (key: string, values?: ErrorMessage["values"]): ErrorMessage => ({
  key: `transfer:csv.problem.${key}`,
  ...(values && { values }),
});
const badFile = (key: string, values?: ErrorMessage["values"]) =>
  new InvalidError({ file: [problem(key, values)] }, "bad_file");

const titleOf = ({ title }: Pick<EventTag, "title">) => title.ja || title.en;

/** The submitted file and its options. */
export interface TagCsvInput {
  readonly bytes: Uint8Array;
  /** Null to detect it. */
  readonly encoding: CsvEncoding | null;
  /** Whether tags that the file does not contain are deleted. */
  readonly deletesMissing: boolean;
}

/** Returns a UUID that depends only on a seed, so that writing a file again after an interruption creates no duplicates. */
async function seededId(seed: string): Promise<Uuid> {
  const hex = await sha256Hex(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the column of each cell; null for a cell without a name. @throws InvalidError bad_file */
function readColumns({ cells }: CsvRecord): readonly (TagColumn | null)[] {
  const names = cells.map((cell) => cell.normalize("NFKC").trim().toLowerCase().replaceAll(" ", "_"));
  const columns = names.map((name): TagColumn | null => {
    if (name === "") return null;
    const column = TAG_COLUMNS.find((tagColumn) => tagColumn === name);
    if (!column) throw badFile("column", { column: [...name].slice(0, 40).join("") });
    return column;
  });
  if (!columns.some((column) => column === "id" || column === "title_ja" || column === "title_en"))
    throw badFile("noTitle");
  for (const column of columns)
    if (column && columns.indexOf(column) !== columns.lastIndexOf(column))
      throw badFile("columnTwice", { column });
  return columns;
}

/** Reads the records of a file. @throws InvalidError bad_file */
async function readRecords(deps: Pick<TagImportPlanDeps, "csv">, { bytes, encoding }: TagCsvInput) {
  if (bytes.length === 0) throw badFile("empty");
  if (bytes.length > TAG_CSV_MAX_BYTES) throw badFile("tooLarge");
  const csv = await deps.csv();
  const file = csv.decode(bytes, encoding);
  if (!file) throw badFile("encoding");
  // The header, the permitted records, and one more by which a longer file is recognised.
  const [header, ...records] = csv.parse(file.text, EVENT_TAGS_MAX + 2);
  if (!header) throw badFile("empty");
  if (header.isBroken) throw badFile("notCsv");
  if (records.length > EVENT_TAGS_MAX) throw badFile("tooLong", { count: EVENT_TAGS_MAX });
  return { encoding: file.encoding, columns: readColumns(header), records };
}

/**
 * Returns the library item that a media cell names by its id or URL, or only its id if the event shows it already; null if the actor sees no such
 * item.
 */
type FindMedia = (name: string) => LibraryItem | Uuid | null;

/** Finds the items of all media cells in a file with at most two queries. */
async function findMedia(
  deps: Pick<TagImportPlanDeps, "library" | "packages">,
  actor: Actor,
  { space, media }: Content,
  cells: readonly string[],
): Promise<FindMedia> {
  const names = [...new Set(cells.flatMap(mediaNames))];
  const eventItemIds = new Set(media.map(({ libraryItemId }) => libraryItemId));
  const ids = names.flatMap((name) => readItemId(name) ?? []).filter((id) => !eventItemIds.has(id));
  const urlOf = (name: string) => {
    const match = matchProvider(name);
    return "error" in match ? null : match.url;
  };
  const urls = new Map(names.flatMap((name) => (readItemId(name) ? [] : [[name, urlOf(name)] as const])));
  const idsByUrl = new Map(
    media.flatMap(({ web, libraryItemId }) => (web ? [[web.url, libraryItemId] as const] : [])),
  );
  const missingUrls = [...urls.values()].flatMap((url) => (url !== null && !idsByUrl.has(url) ? [url] : []));
  const [items, webItems] = await Promise.all([
    ids.length > 0 ? deps.library.findAll(ids) : [],
    missingUrls.length > 0 ? deps.packages.listAlike(space.ownerId, { sizes: [], urls: missingUrls }) : [],
  ]);
  const visibleItems = [...items, ...webItems].filter(({ ownerId, groupId }) =>
    can(actor, "read", { type: "media", ownerId, groupId }),
  );
  const byId = new Map(visibleItems.map((item) => [item.id, item]));
  const byUrl = new Map(visibleItems.flatMap((item) => (item.web ? [[item.web.url, item] as const] : [])));
  return (name) => {
    const id = readItemId(name);
    if (id !== null) return eventItemIds.has(id) ? id : (byId.get(id) ?? null);
    const url = urls.get(name) ?? null;
    return url === null ? null : (idsByUrl.get(url) ?? byUrl.get(url) ?? null);
  };
}

/** Reads a point from the cells of its three axes. Returns null if all are empty; `wrong` is the column of the first cell that is not a number. */
function readPoint(
  cells: readonly (readonly [TagColumn, string])[],
): Vec3 | null | { readonly wrong: TagColumn } {
  if (cells.every(([, cell]) => cell.trim() === "")) return null;
  const numbers: number[] = [];
  for (const [column, cell] of cells) {
    const number = readNumberCell(cell);
    if (number === null) return { wrong: column };
    numbers.push(number);
  }
  return numbers as unknown as Vec3;
}

/** Returns the problem of a record with misplaced quotation marks or another number of cells than columns; null if there is none. */
function recordProblem({ isBroken, cells }: CsvRecord, columnCount: number): ErrorMessage | null {
  if (isBroken) return problem("quotes");
  if (cells.length === columnCount) return null;
  return problem(cells.length < columnCount ? "tooFew" : "tooMany", {
    count: cells.length,
    wanted: columnCount,
  });
}

type Cells = ReadonlyMap<TagColumn, string>;
type AddProblem = (column: TagColumn | null, message: ErrorMessage) => void;

/** Returns the values of a tag from its cells, in the form of a command. Media and order are read separately. */
function readValues(cells: Cells, tag: EventTag | null, addProblem: AddProblem): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const hasColumn = (...names: TagColumn[]) => names.some((name) => cells.has(name));
  const text = (name: TagColumn) => cells.get(name) ?? "";
  for (const field of ["title", "body"] as const)
    if (hasColumn(`${field}_ja`, `${field}_en`))
      values[field] = {
        ja: cells.get(`${field}_ja`) ?? tag?.[field].ja ?? "",
        en: cells.get(`${field}_en`) ?? tag?.[field].en ?? "",
      };
  if (hasColumn("color")) values.color = text("color").trim();
  if (hasColumn("icon")) values.icon = text("icon").trim();
  if (hasColumn("keywords")) values.keywords = readKeywordsCell(text("keywords"));
  if (hasColumn("link_url")) values.linkUrl = text("link_url");
  if (hasColumn("hidden")) values.hidden = readFlagCell(text("hidden"));
  if (hasColumn("product_id", "product_title")) {
    const id = (cells.get("product_id") ?? tag?.product?.id ?? "").trim();
    const gid = /^\d{1,20}$/.test(id) ? `gid://shopify/Product/${id}` : id;
    values.product = { id: gid, title: cells.get("product_title") ?? tag?.product?.title ?? "" };
  }
  for (const field of ["position", "stem"] as const) {
    const axes = (["x", "y", "z"] as const).map((axis) => `${field}_${axis}` as const);
    if (!hasColumn(...axes)) continue;
    const current = tag?.[field] ?? null;
    const point = readPoint(
      axes.map((name, i) => [name, cells.get(name) ?? String(current?.[i] ?? "")] as const),
    );
    if (point !== null && "wrong" in point)
      addProblem(point.wrong, { key: "shared-owners:errors.field.position" });
    else
      values[field] =
        point && current && point.every((coordinate, i) => isNear(coordinate, current[i] ?? Number.NaN))
          ? current
          : point;
  }
  if (hasColumn("viewpoint")) {
    const cell = text("viewpoint").trim();
    try {
      const raw = cell === "" ? null : (JSON.parse(cell.slice(0, 2000)) as unknown);
      Object.assign(values, tagValuesFromJson({ viewpoint: raw }));
    } catch {
      addProblem("viewpoint", { key: "shared-owners:errors.field.position" });
    }
  }
  return values;
}

/** The media items of an event by library item, including those that a file adds. */
interface MediaUses {
  readonly find: FindMedia;
  /** The library item of each media item that the event has already. */
  readonly itemOf: ReadonlyMap<Uuid, Uuid>;
  /** The media item of each library item. */
  readonly useOf: Map<Uuid, Uuid>;
  /** The commands that create media items, by the ids of these. */
  readonly created: Map<Uuid, ContentCommand>;
}

/**
 * Reads a media cell. Library items that the event does not show yet are added to it.
 * @param seed seed for the ids of new media items
 * @returns the ids of the media items
 */
async function readMediaCell(
  uses: MediaUses,
  cell: string,
  tag: EventTag | null,
  seed: string,
  addProblem: AddProblem,
): Promise<readonly Uuid[]> {
  const { itemOf, useOf, created } = uses;
  const ids: Uuid[] = [];
  for (const name of mediaNames(cell)) {
    const match = uses.find(name);
    if (match === null) {
      addProblem("media", problem("media", { name: [...name].slice(0, 60).join("") }));
      continue;
    }
    const itemId = typeof match === "string" ? match : match.id;
    let id = useOf.get(itemId);
    if (id === undefined && typeof match !== "string") {
      id = await seededId(`${seed} media ${itemId}`);
      useOf.set(itemId, id);
      const title = [...match.title].slice(0, MEDIA_TITLE_MAX).join("");
      const values: MediaValues & { libraryItemId: Uuid } = {
        libraryItemId: itemId,
        title: { ja: title, en: "" },
        description: { ja: "", en: "" },
        placement: null,
        hidden: false,
      };
      created.set(id, { op: "create_media", id, values });
    }
    if (id !== undefined) ids.push(id);
  }
  // If the library items and their order are unchanged, the tag keeps its media. Several media items may show the same library item.
  const currentIds = tag?.mediaIds ?? [];
  const hasSameItems = isEqual(
    currentIds.map((id) => itemOf.get(id)),
    ids.map((id) => itemOf.get(id)),
  );
  return hasSameItems && ids.every((id) => itemOf.has(id)) ? currentIds : ids;
}

/** Sorts tags by the numbers in the order column of a file. A tag without a number gets its current place, from 1; a new one comes last. */
function sortByPosition(
  ids: readonly Uuid[],
  positions: ReadonlyMap<Uuid, number>,
  isNew: (id: Uuid) => boolean,
): readonly Uuid[] {
  if (positions.size === 0) return ids;
  const positionById = new Map(
    ids.map((id, i) => [id, positions.get(id) ?? (isNew(id) ? Number.MAX_VALUE : i + 1)]),
  );
  return ids.toSorted((a, b) => (positionById.get(a) ?? 0) - (positionById.get(b) ?? 0));
}

/** Plans the changes of a file to an event. @param seed seed for the ids of new items @throws InvalidError bad_file */
export async function planTagImport(
  deps: TagImportPlanDeps,
  actor: Actor,
  content: Content,
  input: TagCsvInput,
  seed: string,
): Promise<TagImportPlan> {
  const { encoding, columns, records } = await readRecords(deps, input);
  const cellsOf = (record: CsvRecord) => {
    const cells = new Map<TagColumn, string>();
    for (const [i, column] of columns.entries())
      if (column) cells.set(column, unescapeCell(record.cells[i] ?? ""));
    return cells;
  };
  const rows = records.map((record) => ({ record, cells: cellsOf(record) }));
  const mediaFinder = await findMedia(
    deps,
    actor,
    content,
    rows.map(({ cells }) => cells.get("media") ?? ""),
  );
  const tagsById = new Map(content.tags.map((tag) => [tag.id, tag]));
  const uses: MediaUses = {
    find: mediaFinder,
    itemOf: new Map(content.media.map(({ id, libraryItemId }) => [id, libraryItemId])),
    // If several media items show one library item, the oldest is used. Later entries of the Map replace earlier ones.
    useOf: new Map(content.media.toReversed().map(({ id, libraryItemId }) => [libraryItemId, id])),
    created: new Map(),
  };
  const commands: ContentCommand[] = [];
  const lineOf = new Map<ContentCommand, number>();
  const lines: TagLine[] = [];
  const linesByTag = new Map<Uuid, number>();
  /** Position of each tag in the order, if the file gives one. */
  const positions = new Map<Uuid, number>();

  for (const { record, cells } of rows) {
    const problems: TagLineProblem[] = [];
    const addProblem = (column: TagColumn | null, message: ErrorMessage) =>
      problems.push({ column, message });
    const rawId = (cells.get("id") ?? "").trim().toLowerCase();
    const tag = rawId === "" ? null : (tagsById.get(rawId) ?? null);
    const toTagLine = (outcome: TagLine["outcome"], changed: readonly TagColumn[] = []): TagLine => ({
      line: record.line,
      id: tag?.id ?? "",
      outcome,
      columns: changed,
      problems,
      title: [...(cells.get("title_ja") || cells.get("title_en") || (tag ? titleOf(tag) : ""))]
        .slice(0, 100)
        .join(""),
    });
    const cellProblem = recordProblem(record, columns.length);
    if (cellProblem) addProblem(null, cellProblem);
    else if (rawId !== "" && !tag) addProblem("id", problem("unknownId"));
    else if (tag && linesByTag.has(tag.id))
      addProblem("id", problem("twice", { line: linesByTag.get(tag.id) ?? 0 }));
    if (tag && !linesByTag.has(tag.id)) linesByTag.set(tag.id, record.line);
    if (problems.length > 0) {
      lines.push(toTagLine("error"));
      continue;
    }
    const values = readValues(cells, tag, addProblem);
    const mediaCell = cells.get("media");
    if (mediaCell !== undefined)
      values.mediaIds = await readMediaCell(uses, mediaCell, tag, seed, addProblem);
    const orderCell = (cells.get("order") ?? "").trim();
    if (orderCell !== "") {
      const position = readNumberCell(orderCell);
      if (position === null) addProblem("order", { key: "shared-owners:errors.field.invalid" });
      else if (tag) positions.set(tag.id, position);
      else positions.set(await seededId(`${seed} ${record.line}`), position);
    }
    const id = tag?.id ?? (await seededId(`${seed} ${record.line}`));
    const commandResult: ReadCommand = readCommand(
      tag ? { op: "update_tag", id, version: tag.version, values } : { op: "create_tag", id, values },
    );
    if ("errors" in commandResult)
      for (const [name, keys] of Object.entries(commandResult.errors)) {
        const [field = name] = name.split(".");
        const column = COLUMNS_BY_FIELD[name]?.[0] ?? COLUMNS_BY_FIELD[field]?.[0] ?? null;
        // The column's own problem, such as a media item that was not found, is more exact.
        if (!problems.some((tagLineProblem) => tagLineProblem.column === column))
          addProblem(column, { key: keys[0] ?? "shared-owners:errors.field.invalid" });
      }
    if (problems.length > 0 || !("command" in commandResult)) {
      lines.push(toTagLine("error"));
      continue;
    }
    const { command } = commandResult;
    if (command.op === "create_tag") {
      lines.push({ ...toTagLine("create"), id });
      commands.push(command);
      lineOf.set(command, record.line);
      continue;
    }
    if (!tag || command.op !== "update_tag") continue;
    const changed = Object.entries(command.values).filter(
      ([name, value]) => !isEqual(tag[name as keyof TagValues], value),
    );
    if (changed.length === 0) {
      lines.push(toTagLine("unchanged"));
      continue;
    }
    const update = { ...command, values: Object.fromEntries(changed) } as ContentCommand;
    commands.push(update);
    lineOf.set(update, record.line);
    lines.push(
      toTagLine(
        "update",
        changed.flatMap(([name]) => COLUMNS_BY_FIELD[name] ?? []).filter((name) => cells.has(name)),
      ),
    );
  }

  const areLinesReadable = lines.every(({ problems }) =>
    problems.every(({ column }) => column !== null && column !== "id"),
  );
  // An unreadable line could mean any tag, so no tag may be deleted then.
  const missingTags =
    input.deletesMissing && areLinesReadable ? content.tags.filter(({ id }) => !linesByTag.has(id)) : [];
  const deletions = missingTags.map(
    ({ id, version }): ContentCommand => ({ op: "delete", type: "tag", id, version }),
  );
  const createdIds = commands.flatMap((command) => (command.op === "create_tag" ? [command.id] : []));
  if (content.tags.length - missingTags.length + createdIds.length > EVENT_TAGS_MAX)
    throw badFile("tooManyTags", { count: EVENT_TAGS_MAX });
  const remainingIds = content.tags
    .map(({ id }) => id)
    .filter((id) => !missingTags.some((tag) => tag.id === id));
  const defaultOrder = [...remainingIds, ...createdIds];
  const order = sortByPosition(defaultOrder, positions, (id) => createdIds.includes(id));
  const changesOrder = order.some((id, i) => id !== defaultOrder[i]);
  const usedMediaIds = new Set(
    commands.flatMap((command) =>
      command.op === "create_tag" || command.op === "update_tag" ? (command.values.mediaIds ?? []) : [],
    ),
  );
  const deleted = missingTags.map((tag) => ({ id: tag.id, title: titleOf(tag) }));
  return {
    report: { encoding, lines, changesOrder, deleted },
    lineOf,
    commands: [
      ...[...uses.created].flatMap(([id, command]) => (usedMediaIds.has(id) ? [command] : [])),
      ...commands,
      ...deletions,
      ...(changesOrder ? [{ op: "move_tags" as const, ids: order, before: null }] : []),
    ],
  };
}
