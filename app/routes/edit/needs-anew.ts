import type { ShouldRevalidateFunction } from "@remix-run/react";

/** Of the editor's address what the browser follows by itself: going through lists and forms needs nothing new. */
const OWN = ["tag", "medium", "stop", "q", "k", "show", "restore", "since", "done", "toast"];

const rest = ({ pathname, searchParams }: URL) =>
  pathname + [...searchParams].filter(([name]) => !OWN.includes(name)).join("&");

/** Whether the editor's page is to be read anew. */
export const needsAnew: ShouldRevalidateFunction = (change) => {
  const { currentUrl, nextUrl, formMethod, actionResult, defaultShouldRevalidate } = change;
  // Whatever was done leads on to another page: an answer is a form that came back, or a preview. A page read anew would begin the form anew.
  if (formMethod && formMethod !== "GET") return actionResult ? false : defaultShouldRevalidate;
  return currentUrl.href === nextUrl.href || rest(currentUrl) !== rest(nextUrl);
};
