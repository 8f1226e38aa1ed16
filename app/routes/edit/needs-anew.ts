import type { ShouldRevalidateFunction } from "@remix-run/react";

/** Of the editor's address what the browser follows by itself: going through lists and forms needs nothing new. */
const OWN = ["tag", "medium", "q", "k", "show", "restore", "done", "toast"];

const rest = ({ pathname, searchParams }: URL) =>
  pathname + [...searchParams].filter(([name]) => !OWN.includes(name)).join("&");

/** Whether the editor's page is to be read anew. */
export const needsAnew: ShouldRevalidateFunction = (change) => {
  const { currentUrl, nextUrl, formMethod, actionResult, defaultShouldRevalidate } = change;
  // A preview changes nothing.
  if (actionResult?.preview) return false;
  if (formMethod && formMethod !== "GET") return defaultShouldRevalidate;
  return currentUrl.href === nextUrl.href || rest(currentUrl) !== rest(nextUrl);
};
