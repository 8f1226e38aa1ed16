import { StrictMode } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { type PageInput, StagePage } from "./page";

declare global {
  interface Window {
    /** Leaves the page in the way a route change does. */
    leave(): void;
  }
}

const root = document.getElementById("root");
if (root) {
  const input = JSON.parse(root.dataset.input ?? "") as PageInput;
  const mounted: Root = hydrateRoot(
    root,
    <StrictMode>
      <StagePage input={input} />
    </StrictMode>,
  );
  window.leave = () => mounted.unmount();
}
