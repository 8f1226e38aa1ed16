import { createContext, useContext } from "react";

/** Data of the response that contained the document. */
export interface Rendering {
  /** Nonce of its scripts. Browsers hide it, so it is undefined there. */
  readonly nonce: string | undefined;
  /** Id of the request in the log; empty on pages that are cached. */
  readonly requestId: string;
}

export const RenderingContext = createContext<Rendering>({ nonce: undefined, requestId: "" });
export const useRendering = (): Rendering => useContext(RenderingContext);
