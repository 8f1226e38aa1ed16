import type { ShouldRevalidateFunction } from "@remix-run/react";
import { isUnsent } from "../../shared/unsent-form";
import { isListPanel, isScenePanel, readPanel } from "./panels";

/** Parameters that the browser handles itself: opening lists and forms needs no new data. */
const OWN = [
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
];

const rest = ({ pathname, searchParams }: URL) =>
  pathname + [...searchParams].filter(([name]) => !OWN.includes(name)).join("&");

const isOffline = () => typeof navigator !== "undefined" && navigator.onLine === false;

/** Parameters that require data from the server. */
const FETCHED = ["pick", "copy", "dialog", "lang"];

/** Whether a panel needs only data that the page already has. Without a connection such a panel still works, and changes are saved later. */
const isOfContent = ({ searchParams }: URL) => {
  const panel = readPanel(searchParams);
  const isKept = isListPanel(panel) || isScenePanel(panel) || panel === "event" || panel === "links";
  return isKept && !FETCHED.some((name) => searchParams.has(name));
};

/** Decides whether the editor's data is loaded again. */
export const shouldRevalidateEditor: ShouldRevalidateFunction = (change) => {
  if (isUnsent(change)) return false;
  const { currentUrl, nextUrl, formMethod, actionResult, defaultShouldRevalidate } = change;
  // A successful form redirects, so a result is a rejected form or a preview. Loading the page again would reset that form.
  if (formMethod && formMethod !== "GET") return actionResult ? false : defaultShouldRevalidate;
  if (isOffline() && isOfContent(nextUrl) && currentUrl.pathname === nextUrl.pathname) return false;
  return currentUrl.href === nextUrl.href || rest(currentUrl) !== rest(nextUrl);
};
