import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * Moves the focus to the page's heading after a client-side navigation to another path or page of a list, so that screen readers announce it. Focus
 * in a dialog, or on an element with the class `shows-focus`, stays.
 */
export function FocusPageHeading() {
  const { pathname, search } = useLocation();
  const pageKey = `${pathname} ${new URLSearchParams(search).get("page") ?? ""}`;
  const lastPageKey = useRef(pageKey);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (lastPageKey.current === pageKey) return;
    lastPageKey.current = pageKey;
    setTitle(document.title);
    const main = document.getElementById("main");
    const focusedElement = document.activeElement;
    if (!main || focusedElement?.closest("dialog") || focusedElement?.matches(".shows-focus")) return;
    const heading = main.querySelector<HTMLElement>("h1");
    if (heading) heading.tabIndex = -1;
    (heading ?? main).focus({ preventScroll: true });
  }, [pageKey]);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}
