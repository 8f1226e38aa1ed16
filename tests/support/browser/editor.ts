import type { Visit } from "./visit";

/** Resolves when the editor is hydrated and its bar shows this save state. The server's page contains the bar too, but hidden. */
export const waitForSaveState = ({ page }: Visit, wanted: string): Promise<void> =>
  page.locator(`:not([hidden]) > [data-save=${wanted}]`).waitFor({ state: "attached", timeout: 20_000 });
