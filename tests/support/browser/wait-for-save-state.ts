import type { BrowserVisit } from "./visit";

/** Resolves when the editor is hydrated and its bar has this save state. Before hydration the bar is hidden. */
export const waitForSaveState = ({ page }: BrowserVisit, saveState: string): Promise<void> =>
  page.locator(`:not([hidden]) > [data-save=${saveState}]`).waitFor({ state: "attached", timeout: 20_000 });
