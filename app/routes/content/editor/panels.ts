/** The parts of the editor's panel, and their addresses: `?panel=tags&tag=…`. */

/** In the order of the tabs. The first is what the editor opens with. */
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
/** One of them. */
export type Panel = (typeof PANELS)[number];

/** The panels of the event's scene. */
export type ScenePart = Extract<Panel, "start" | "tour" | "plan">;

/** Whether a panel is one of the event's content, which saves by itself. */
export const isContentPanel = (panel: Panel): boolean =>
  isListPanel(panel) || isScenePanel(panel) || panel === "store";

/** Whether a panel is a list of things. */
export const isListPanel = (panel: Panel): panel is "tags" | "media" => panel === "tags" || panel === "media";

/** Whether a panel is one of the event's scene. */
export const isScenePanel = (panel: Panel): panel is ScenePart =>
  panel === "start" || panel === "tour" || panel === "plan";

/** The panel that an address asks for. */
export function readPanel(search: URLSearchParams): Panel {
  const asked = search.get("panel");
  return PANELS.find((panel) => panel === asked) ?? "event";
}

/** The address of a panel, with more parameters if any. */
export function panelHref(panel: Panel, more: Readonly<Record<string, string>> = {}): string {
  return `?${new URLSearchParams({ panel, ...more })}`;
}

/** Parameters of a list that stay while one goes through its things. */
const LIST_PARAMS = ["panel", "q", "k", "show"];

/** The address of the list that an address belongs to, with what is searched for. */
export function listParams(search: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...search].filter(([name]) => LIST_PARAMS.includes(name)));
}

/** Parameters of the picker of products: what is searched for, and which page it shows. */
export const PICKER_PARAMS = ["pick", "find", "after", "before", "at"];

/** Parameters that tell the editor's forms apart. */
const FORM_PARAMS = ["panel", "tag", "medium", "stop"];

/** The address of the form that an address shows. */
export function formHref(search: URLSearchParams): string {
  return `?${new URLSearchParams([...search].filter(([name]) => FORM_PARAMS.includes(name)))}`;
}

/** The list's address with one more parameter. */
export function listHref(search: URLSearchParams, more: Readonly<Record<string, string>> = {}): string {
  const params = listParams(search);
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  return `?${params}`;
}
