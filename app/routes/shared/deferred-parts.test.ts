import { describe, expect, test } from "vitest";
import type { DeferredRendering } from "./deferred-part";
import { hasDeferredParts, sendWithDeferredParts, WITHOUT_DEFERRED_PARTS } from "./deferred-parts.server";

const streamOf = (text: string) => new Response(text).body as ReadableStream<Uint8Array>;
const markOf = (id: string | undefined) => (id ? `<template id="${id}"></template>` : "");

/** A page with two deferred parts; the second is inside of the first. */
function pageOf(first: Promise<{ readonly second: Promise<string> }>) {
  return ({ outcomeOf, marks }: DeferredRendering): string => {
    const renderPart = (part: Promise<unknown>, inner: (value: unknown) => string) => {
      const outcome = outcomeOf(part);
      const innerText = outcome && ("value" in outcome ? inner(outcome.value) : `(${String(outcome.error)})`);
      return `${markOf(marks?.[0])}${innerText ?? "…"}${markOf(marks?.[1])}`;
    };
    const text = renderPart(first, (value) => {
      const { second } = value as Awaited<typeof first>;
      return `<p>one</p>${renderPart(second, (two) => `<p>${two}</p>`)}`;
    });
    return `<main>${text}</main>`;
  };
}

const textOf = async (first: Promise<{ readonly second: Promise<string> }>) => {
  const errors: unknown[] = [];
  const page = pageOf(first);
  const stream = sendWithDeferredParts(
    streamOf(page(WITHOUT_DEFERRED_PARTS)),
    { route: { result: first } },
    async (rendering) => page(rendering),
    (error) => errors.push(error),
  );
  return { text: await new Response(stream).text(), errors };
};

describe("a page with deferred parts", () => {
  test("is sent without them, and has them appended for readers without scripts", async () => {
    const { text, errors } = await textOf(Promise.resolve({ second: Promise.resolve("two") }));
    expect(text).toBe(`<main>…</main><noscript><div data-late=""><p>one</p><p>two</p></div></noscript>`);
    expect(errors).toEqual([]);
  });

  test("appends the error of a part that failed", async () => {
    const second = Promise.reject(new Error("gone"));
    second.catch(() => {});
    const { text } = await textOf(Promise.resolve({ second }));
    expect(text).toContain("<p>one</p>(Error: gone)");
  });

  test("is complete, and its error is reported, if the deferred part is not rendered", async () => {
    const errors: unknown[] = [];
    const stream = sendWithDeferredParts(
      streamOf("<main>…</main>"),
      {},
      async () => "<main>Something broke</main>",
      (error) => errors.push(error),
    );
    expect(await new Response(stream).text()).toBe("<main>…</main>");
    expect(errors).toHaveLength(1);
  });
});

describe("loader data", () => {
  test("has deferred parts if it contains a promise, up to the maximal depth", () => {
    expect(hasDeferredParts({ a: { result: Promise.resolve() } })).toBe(true);
    expect(hasDeferredParts({ a: { result: { ok: true, value: { related: Promise.resolve() } } } })).toBe(
      true,
    );
    expect(hasDeferredParts({ a: { b: { c: { d: { e: Promise.resolve() } } } } })).toBe(true);
    expect(hasDeferredParts({ a: { b: { c: { d: { e: { f: Promise.resolve() } } } } } })).toBe(false);
    expect(hasDeferredParts({ a: { result: { ok: true }, list: [1, 2] }, b: null, c: "x" })).toBe(false);
  });
});
