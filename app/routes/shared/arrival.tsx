import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * Moves the focus to the page's heading after a client-side navigation, as browsers do when a document loads, so that screen readers announce it. A
 * dialog or another element that has already taken the focus keeps it.
 */
export function Arrival() {
  const { pathname, search } = useLocation();
  const place = `${pathname} ${new URLSearchParams(search).get("page") ?? ""}`;
  const last = useRef(place);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    setTitle(document.title);
    const main = document.getElementById("main");
    const focused = document.activeElement;
    if (!main || focused?.closest("dialog") || focused?.matches(".shows-focus")) return;
    const heading = main.querySelector<HTMLElement>("h1");
    if (heading) heading.tabIndex = -1;
    (heading ?? main).focus({ preventScroll: true });
  }, [place]);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}
