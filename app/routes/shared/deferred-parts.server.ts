/**
 * Sends a page with deferred parts: first the page with the scripts that insert those parts when they arrive, and after it the same parts in a
 * <noscript> element for readers without scripts (decision 034).
 */
import type { DeferredOutcome, DeferredRendering } from "./deferred-part";

/** Maximum depth of a promise in loader data. */
const MAX_DEPTH = 5;

/** Promises in the loader data of a page. Arrays are not searched. */
function promisesIn(value: unknown, depth = MAX_DEPTH): readonly Promise<unknown>[] {
  if (value instanceof Promise) return [value];
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap((child) => promisesIn(child, depth - 1));
}

/** Whether a page has deferred parts. */
export const hasDeferredParts = (data: unknown): boolean => promisesIn(data).length > 0;

/** Results of all deferred parts of a page's data, and of the parts inside them. */
async function outcomesIn(data: unknown, outcomes = new Map<Promise<unknown>, DeferredOutcome>()) {
  await Promise.all(
    promisesIn(data).map((part) =>
      part.then(
        (value) => {
          outcomes.set(part, { value });
          return outcomesIn(value, outcomes);
        },
        (error: unknown) => outcomes.set(part, { error }),
      ),
    ),
  );
  return outcomes;
}

/** The page itself contains no deferred part, even one that arrived during rendering, because the browser hydrates without it. */
export const WITHOUT_DEFERRED_PARTS: DeferredRendering = { outcomeOf: () => undefined, marks: null };

const MARKS = ["late-from", "late-to"] as const;
const [START_MARK, END_MARK] = MARKS.map((id) => `<template id="${id}"></template>`) as [string, string];

/** Extracts the appended parts from a page that was rendered with markers. Deferred parts can be nested or follow each other. */
function extractDeferredParts(html: string): string {
  const [start, end] = [html.indexOf(START_MARK), html.lastIndexOf(END_MARK)];
  if (start < 0 || end < start) throw new Error("The page was rendered without its deferred parts");
  return html.slice(start, end).replaceAll(START_MARK, "").replaceAll(END_MARK, "");
}

/**
 * Sends a page, and appends its deferred parts.
 * @param page the page's stream
 * @param data data of its loaders
 * @param render renders the whole page again with the deferred parts
 * @param reportError called with the error if the parts cannot be appended
 */
export function sendWithDeferredParts(
  page: ReadableStream<Uint8Array>,
  data: unknown,
  render: (rendering: DeferredRendering) => Promise<string>,
  reportError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const renderDeferredParts = async () => {
    const outcomes = await outcomesIn(data);
    const html = await render({ marks: MARKS, outcomeOf: (part) => outcomes.get(part) });
    return `<noscript><div data-late="">${extractDeferredParts(html)}</div></noscript>`;
  };
  return page.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async flush(controller) {
        try {
          controller.enqueue(new TextEncoder().encode(await renderDeferredParts()));
        } catch (error) {
          reportError(error);
        }
      },
    }),
  );
}
