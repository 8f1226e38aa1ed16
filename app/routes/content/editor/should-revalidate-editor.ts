import type { ShouldRevalidateFunction } from "@remix-run/react";
import { isUnsent } from "../../shared/unsent-form";
import { isListPanel, isScenePanel, readPanel } from "./panels";

/** Parameters that the browser handles itself: opening a list or a form needs no new data. */
const CLIENT_PARAMS = [
  "tag",
  "medium",
  "stop",
  "align",
  "q",
  "k",
  "show",
  "restore",
  "since",
  "deleted",
  "count",
  "done",
  "copies",
  "copied",
  "toast",
  "undo",
  "from",
];

const withoutClientParams = ({ pathname, searchParams }: URL) =>
  pathname + [...searchParams].filter(([name]) => !CLIENT_PARAMS.includes(name)).join("&");

const isOffline = () => typeof navigator !== "undefined" && navigator.onLine === false;

/** Parameters that require data from the server. */
const SERVER_PARAMS = ["pick", "copy", "dialog", "lang"];

/** Whether a panel works with the data that the page already has, and therefore without a connection. */
const needsOnlyContent = ({ searchParams }: URL) => {
  const panel = readPanel(searchParams);
  const isLoadedPanel = isListPanel(panel) || isScenePanel(panel) || panel === "event" || panel === "links";
  return isLoadedPanel && !SERVER_PARAMS.some((name) => searchParams.has(name));
};

/** Decides whether the editor's data is loaded again. */
export const shouldRevalidateEditor: ShouldRevalidateFunction = (change) => {
  if (isUnsent(change)) return false;
  const { currentUrl, nextUrl, formMethod, actionResult, defaultShouldRevalidate } = change;
  // A successful form redirects, so an action result belongs to a rejected form or a preview. Loading the page again would reset that form.
  if (formMethod && formMethod !== "GET") return actionResult ? false : defaultShouldRevalidate;
  if (isOffline() && needsOnlyContent(nextUrl) && currentUrl.pathname === nextUrl.pathname) return false;
  return currentUrl.href === nextUrl.href || withoutClientParams(currentUrl) !== withoutClientParams(nextUrl);
};
