import { createContext, useContext } from "react";

/** What belongs to the answer that brought the document. */
export interface Rendering {
  /** The nonce of its scripts; browsers hide it, so there it is undefined. */
  readonly nonce: string | undefined;
  /** By which the log knows its request; empty on pages that are kept for all. */
  readonly requestId: string;
}

export const RenderingContext = createContext<Rendering>({ nonce: undefined, requestId: "" });
export const useRendering = (): Rendering => useContext(RenderingContext);
