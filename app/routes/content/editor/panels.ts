/** Parts of the editor's panel and their addresses: `?panel=tags&tag=…`. */

/** Panels in the order of the tabs. The first is the default. */
export const PANELS = [
  "event",
  "tags",
  "media",
  "start",
  "tour",
  "plan",
  "store",
  "links",
  "history",
] as const;
/** Name of a panel. */
export type Panel = (typeof PANELS)[number];

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

/** Parses the panel from an address. */
export function readPanel(search: URLSearchParams): Panel {
  const requestedPanel = search.get("panel");
  return PANELS.find((panel) => panel === requestedPanel) ?? "event";
}

/** Address of a panel, with optional additional parameters. */
export function panelHref(panel: Panel, more: Readonly<Record<string, string>> = {}): string {
  return `?${new URLSearchParams({ panel, ...more })}`;
}

/** Parameters of a list that are kept while its items are open. */
const LIST_PARAMS = ["panel", "q", "k", "show"];

/** Query of the list that an address belongs to, with its search. */
export function listParams(search: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...search].filter(([name]) => LIST_PARAMS.includes(name)));
}

/** Parameters of the product picker: its search and its page. */
export const PICKER_PARAMS = ["pick", "find", "after", "before", "at"];

/** Parameters that identify a form of the editor. */
const FORM_PARAMS = ["panel", "tag", "medium", "stop"];

/** Address of the form that an address opens. */
export function formHref(search: URLSearchParams): string {
  return `?${new URLSearchParams([...search].filter(([name]) => FORM_PARAMS.includes(name)))}`;
}

/** Address of the list with additional parameters. */
export function listHref(search: URLSearchParams, more: Readonly<Record<string, string>> = {}): string {
  const params = listParams(search);
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  return `?${params}`;
}
