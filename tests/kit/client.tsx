import { hydrateRoot } from "react-dom/client";
import { ComponentGallery, type PageName } from "./gallery";

const root = document.getElementById("root");
if (root) {
  hydrateRoot(
    root,
    <ComponentGallery
      page={root.dataset.page as PageName}
      lang={document.documentElement.lang === "en" ? "en" : "ja"}
      url={location.pathname + location.search}
    />,
  );
  // Tests wait for this attribute. Effects have run after the next frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.documentElement.setAttribute("data-ready", "")),
  );
}
