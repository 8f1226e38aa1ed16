/**
 * Sends a page as it arrives, for browsers without scripts as well: up to its first part that is still under way, then up to the next, in
 * the order in which it is read. React's own streaming sends late parts behind the page, where only a script puts them in their place.
 */
import { ARRIVING_MARK } from "./arriving";

/** How deep a promise may lie in what loaders return. */
const DEPTH = 5;

/** Whether something of a page's data is a promise. Lists are not looked into. */
export function hasLateParts(value: unknown, depth = DEPTH): boolean {
  if (value instanceof Promise) return true;
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).some((each) => hasLateParts(each, depth - 1));
}

/** The parts of a page that come later, as they are met while it is drawn. */
export class LateParts {
  readonly #underWay = new Map<Promise<unknown>, Promise<unknown>>();
  readonly #arrived = new WeakSet<Promise<unknown>>();
  #hasNews = false;

  /** Whether a part is still on its way. */
  readonly isUnderWay = (part: Promise<unknown>): boolean => {
    if (this.#arrived.has(part)) return false;
    if (!this.#underWay.has(part)) {
      const arrive = () => {
        this.#arrived.add(part);
        this.#underWay.delete(part);
        this.#hasNews = true;
      };
      this.#underWay.set(part, part.then(arrive, arrive));
    }
    return true;
  };

  /** Resolves when one more of them is there than at the last time; at once when one came while the page was drawn. */
  readonly next = async (): Promise<void> => {
    if (!this.#hasNews) await Promise.race(this.#underWay.values());
    this.#hasNews = false;
  };
}

const MARK = `<template ${ARRIVING_MARK}=""`;

/**
 * @param render draws the page: without the parts that are under way, or all of it
 * @param report is told of what goes wrong after the page has begun
 */
export async function sendAsItArrives(
  render: (parts: LateParts | null) => Promise<ReadableStream>,
  report: (error: unknown) => void,
): Promise<ReadableStream> {
  const parts = new LateParts();
  const draw = async (drawn: LateParts | null) => new Response(await render(drawn)).text();
  const encoder = new TextEncoder();
  let html = await draw(parts);
  let sent = "";
  return new ReadableStream({
    async start(controller) {
      const send = (until: number) => {
        // What was sent cannot be taken back: it must be how the whole page begins.
        if (!html.startsWith(sent)) report(new Error("The page began otherwise than it went on"));
        if (until > sent.length) controller.enqueue(encoder.encode(html.slice(sent.length, until)));
        sent = html.slice(0, until);
      };
      try {
        for (let cut = html.indexOf(MARK); cut >= 0; cut = html.indexOf(MARK)) {
          send(cut);
          await parts.next();
          html = await draw(parts);
        }
        html = await draw(null);
        send(html.length);
      } catch (error) {
        report(error);
      }
      controller.close();
    },
  });
}
