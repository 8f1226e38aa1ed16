/** Panels of the editor and their URLs: `?panel=tags&tag=…`. */

/** Groups of panels in the order of the tabs. The tab of a group opens its first panel. The first panel of all is the default. */
export const PANEL_GROUPS = [
  { name: "details", panels: ["event", "history"] },
  { name: "content", panels: ["tags", "media"] },
  { name: "space", panels: ["start", "tour", "plan"] },
  { name: "store", panels: ["store"] },
  { name: "publish", panels: ["links"] },
] as const;

/** Name of a panel. */
export type Panel = (typeof PANEL_GROUPS)[number]["panels"][number];

/** All panels. */
const PANELS: readonly Panel[] = PANEL_GROUPS.flatMap(({ panels }) => [...panels]);

/** Parts of the event form, by the panels that show them. */
export const FORM_PARTS = { event: "details", links: "publish", store: "store" } as const satisfies Partial<
  Record<Panel, string>
>;

/** The part of the event form that a panel shows; null for panels without a part of it. */
export const formPart = (panel: Panel) =>
  panel in FORM_PARTS ? FORM_PARTS[panel as keyof typeof FORM_PARTS] : null;

/** Panels that edit the scene. */
export type ScenePart = Extract<Panel, "start" | "tour" | "plan">;

/** Whether a panel edits the event's content, which is saved automatically. */
export const isContentPanel = (panel: Panel): boolean =>
  isListPanel(panel) || isScenePanel(panel) || panel === "store";

/** Whether a panel is a list of items. */
export const isListPanel = (panel: Panel): panel is "tags" | "media" => panel === "tags" || panel === "media";

/** Whether a panel edits the scene. */
export const isScenePanel = (panel: Panel): panel is ScenePart =>
  panel === "start" || panel === "tour" || panel === "plan";

/** Parses the panel from a URL. */
export function readPanel(searchParams: URLSearchParams): Panel {
  const requestedPanel = searchParams.get("panel");
  return PANELS.find((panel) => panel === requestedPanel) ?? "event";
}

/** URL of a panel, with optional additional parameters. */
export function panelHref(panel: Panel, params: Readonly<Record<string, string>> = {}): string {
  return `?${new URLSearchParams({ panel, ...params })}`;
}

/** Parameters of a list that are kept while its items are open: the search text `q`, the keyword `k` and the filter `show`. */
const LIST_PARAMS = ["panel", "q", "k", "show"];

/** Query of the list that a URL belongs to, with its search. */
export function listParams(searchParams: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...searchParams].filter(([name]) => LIST_PARAMS.includes(name)));
}

/** Parameters that open the product picker, and those of its search and its page. */
export const PICKER_PARAMS = ["pick", "find", "after", "before", "at"];

/** Parameters that open the form of one item, by the panels that contain it. Other panels ignore them. */
const ITEM_PARAMS: Readonly<Partial<Record<Panel, string>>> = { tags: "tag", media: "medium", tour: "stop" };

const itemParam = (searchParams: URLSearchParams) => ITEM_PARAMS[readPanel(searchParams)] ?? "";

/** Id of the tag or media item whose form a URL opens, as it is in the URL; null if it opens none. */
export const openItemId = (searchParams: URLSearchParams): string | null =>
  isListPanel(readPanel(searchParams)) ? searchParams.get(itemParam(searchParams)) : null;

/** Whether a URL opens the form of one item, or a picker. */
export const opensForm = (searchParams: URLSearchParams): boolean =>
  searchParams.has("pick") || searchParams.has(itemParam(searchParams));

/** URL of the form that a URL opens. */
export function formHref(searchParams: URLSearchParams): string {
  const names = ["panel", itemParam(searchParams)];
  return `?${new URLSearchParams([...searchParams].filter(([name]) => names.includes(name)))}`;
}

/**
 * URL of the list with additional parameters. The form of a tag keeps `from=store`: its link back leads to the panel from which the tag was placed.
 */
export function listHref(
  searchParams: URLSearchParams,
  params: Readonly<Record<string, string>> = {},
): string {
  const query = listParams(searchParams);
  const origin = searchParams.get("from");
  if (params.tag !== undefined && origin !== null) query.set("from", origin);
  for (const [name, value] of Object.entries(params)) query.set(name, value);
  return `?${query}`;
}
