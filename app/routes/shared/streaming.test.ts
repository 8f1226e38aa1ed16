import { describe, expect, test } from "vitest";
import { ARRIVING_MARK } from "./arriving";
import { hasLateParts, type LateParts, sendAsItArrives } from "./streaming.server";

const MARK = `<template ${ARRIVING_MARK}="">`;
const fail = (error: unknown) => {
  throw error;
};

/** A page of parts between fixed words, drawn as the server does. */
function pageOf(parts: readonly Promise<string>[]) {
  const values = new Map<Promise<string>, string>();
  for (const part of parts) void part.then((value) => values.set(part, value));
  return async (late: LateParts | null): Promise<ReadableStream> => {
    if (!late) await Promise.all(parts);
    const html = parts.map((part, at) => `<p>${at}</p>${late?.isUnderWay(part) ? MARK : values.get(part)}`);
    return new Response(`<main>${html.join("")}</main>`).body as ReadableStream;
  };
}

/** What comes in, piece by piece. */
async function piecesOf(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>)
    pieces.push(new TextDecoder().decode(piece));
  return pieces;
}

describe("a page that is sent as it arrives", () => {
  test("ends for now where its first late part stands, and goes on in the order in which it is read", async () => {
    let first = (_: string) => {};
    let second = (_: string) => {};
    const parts = [new Promise<string>((r) => (first = r)), new Promise<string>((r) => (second = r))];
    const stream = await sendAsItArrives(pageOf(parts), fail);
    second("two");
    setTimeout(() => first("one"), 5);
    expect(await piecesOf(stream)).toEqual(["<main><p>0</p>", "one<p>1</p>two</main>"]);
  });

  test("does not wait for what came while it was drawn", async () => {
    const stream = await sendAsItArrives(pageOf([Promise.resolve("one"), Promise.resolve("two")]), fail);
    expect((await piecesOf(stream)).join("")).toBe("<main><p>0</p>one<p>1</p>two</main>");
  });

  test("tells when it goes on otherwise than it began", async () => {
    const errors: unknown[] = [];
    let draws = 0;
    const render = async (late: LateParts | null) => {
      draws += 1;
      const part = Promise.resolve();
      return new Response(late?.isUnderWay(part) && draws < 2 ? `<p>${draws}</p>${MARK}` : `<p>${draws}</p>`)
        .body as ReadableStream;
    };
    await piecesOf(await sendAsItArrives(render, (error) => errors.push(error)));
    expect(errors).toHaveLength(1);
  });
});

describe("what loaders return", () => {
  test("has late parts where a promise lies in it, however deep a page puts one", () => {
    expect(hasLateParts({ a: { answer: Promise.resolve() } })).toBe(true);
    expect(hasLateParts({ a: { answer: { ok: true, value: { related: Promise.resolve() } } } })).toBe(true);
    expect(hasLateParts({ a: { answer: { ok: true }, list: [1, 2] }, b: null, c: "x" })).toBe(false);
  });
});
