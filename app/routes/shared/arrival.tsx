import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * What a browser does at the arrival of a document, for pages that scripts bring: the focus goes to the page's heading and its title is
 * read out. A dialog over the page, or anything else in it that has taken the focus for itself, keeps it.
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
    const at = document.activeElement;
    if (!main || at?.closest("dialog") || at?.matches(".shows-focus")) return;
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
