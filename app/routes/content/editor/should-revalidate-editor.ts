import type { ShouldRevalidateFunction } from "@remix-run/react";
import { isUnsent } from "../../shared/unsent-form";
import { isListPanel, isScenePanel, readPanel } from "./panels";

/** Of the editor's address what the browser follows by itself: going through lists and forms needs nothing new. */
const OWN = [
  "tag",
  "medium",
  "stop",
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

/** Parameters for which there is something to be fetched. */
const FETCHED = ["pick", "copy", "dialog", "lang"];

/** Whether a panel shows what the page has anyway: without a connection one goes on there, and what was done is saved later. */
const isOfContent = ({ searchParams }: URL) => {
  const panel = readPanel(searchParams);
  const isKept = isListPanel(panel) || isScenePanel(panel) || panel === "event" || panel === "links";
  return isKept && !FETCHED.some((name) => searchParams.has(name));
};

/** Whether the editor's page is to be read anew. */
export const needsAnew: ShouldRevalidateFunction = (change) => {
  if (isUnsent(change)) return false;
  const { currentUrl, nextUrl, formMethod, actionResult, defaultShouldRevalidate } = change;
  // Whatever was done leads on to another page: an answer is a form that came back, or a preview. A page read anew would begin the form anew.
  if (formMethod && formMethod !== "GET") return actionResult ? false : defaultShouldRevalidate;
  if (isOffline() && isOfContent(nextUrl) && currentUrl.pathname === nextUrl.pathname) return false;
  return currentUrl.href === nextUrl.href || rest(currentUrl) !== rest(nextUrl);
};
