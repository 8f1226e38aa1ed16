/**
 * Sends a page that has late parts: the page at once, with the scripts that put those parts into it as they come, and behind it,
 * in a <noscript>, the same parts for readers without scripts (decision 034).
 */
import type { Drawing, Outcome } from "./arriving";

/** How deep a promise may lie in what loaders return. */
const DEPTH = 5;

/** The promises in a page's data. Lists are not looked into. */
function promisesIn(value: unknown, depth = DEPTH): readonly Promise<unknown>[] {
  if (value instanceof Promise) return [value];
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap((each) => promisesIn(each, depth - 1));
}

/** Whether a page has late parts. */
export const hasLateParts = (data: unknown): boolean => promisesIn(data).length > 0;

/** What has come of all late parts of a page's data, and of theirs. */
async function outcomesIn(data: unknown, known = new Map<Promise<unknown>, Outcome>()) {
  await Promise.all(
    promisesIn(data).map((part) =>
      part.then(
        (value) => {
          known.set(part, { value });
          return outcomesIn(value, known);
        },
        (error: unknown) => known.set(part, { error }),
      ),
    ),
  );
  return known;
}

/** The page itself: nothing late is in it, even what has come while it was drawn, as the browser begins without it. */
export const WITHOUT_LATE_PARTS: Drawing = { outcomeOf: () => undefined, marks: null };

const MARKS = ["late-from", "late-to"] as const;
const [FROM, TO] = MARKS.map((id) => `<template id="${id}"></template>`) as [string, string];

/** What of a page that was drawn with marks belongs behind it: late parts stand in each other, or one behind the other. */
function between(html: string): string {
  const [from, to] = [html.indexOf(FROM), html.lastIndexOf(TO)];
  if (from < 0 || to < from) throw new Error("The page has no late part any more");
  return html.slice(from, to).replaceAll(FROM, "").replaceAll(TO, "");
}

/**
 * @param page the page as it goes out
 * @param data of its loaders
 * @param draw draws all of it anew, the parts included
 * @param report is told of what goes wrong after the page has begun
 */
export function sendWithLateParts(
  page: ReadableStream<Uint8Array>,
  data: unknown,
  draw: (drawing: Drawing) => Promise<ReadableStream>,
  report: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const late = async () => {
    const outcomes = await outcomesIn(data);
    const whole = await draw({ marks: MARKS, outcomeOf: (part) => outcomes.get(part) });
    return `<noscript><div data-late="">${between(await new Response(whole).text())}</div></noscript>`;
  };
  return page.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async flush(controller) {
        try {
          controller.enqueue(new TextEncoder().encode(await late()));
        } catch (error) {
          report(error);
        }
      },
    }),
  );
}
