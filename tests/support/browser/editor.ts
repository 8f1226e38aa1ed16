import type { Visit } from "./visit";

/**
 * Resolves once the editor's scripts have taken the page over and its bar names how saving stands. The server's page has the bar too, but
 * hidden.
 */
export const waitForSaveState = ({ page }: Visit, wanted: string): Promise<void> =>
  page.locator(`:not([hidden]) > [data-save=${wanted}]`).waitFor({ state: "attached", timeout: 20_000 });
