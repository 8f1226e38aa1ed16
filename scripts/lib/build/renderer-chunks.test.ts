import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createElement, lazy, type ReactNode, Suspense } from "react";
import { renderToReadableStream } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { fromRoot } from "../paths";
import { joinChunks } from "./renderer-chunks";

const source = readFileSync(
  fromRoot("node_modules/react-dom/cjs/react-dom-server.browser.production.min.js"),
  "utf8",
);
const joinedModule = { exports: {} as { renderToReadableStream: typeof renderToReadableStream } };
new Function("require", "exports", joinChunks(source))(createRequire(import.meta.url), joinedModule.exports);

const TEXT = "広場 & <b> “👩‍👩‍👧‍👦” ";
/** Creates a component that loads after 20 ms. React caches a loaded component, so each rendering needs a new one. */
const createLatePart = () =>
  lazy(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { default: () => createElement("p", null, TEXT.repeat(30)) };
  });
const page = (hasLatePart: boolean): ReactNode =>
  createElement(
    "main",
    { title: TEXT, className: "a" },
    ...Array.from({ length: 300 }, (_, key) => createElement("i", { key }, TEXT, key, "", null, `é${key}`)),
    hasLatePart &&
      createElement(Suspense, { fallback: createElement("p", null, "…") }, createElement(createLatePart())),
  );

async function readChunks(render: typeof renderToReadableStream, hasLatePart: boolean, isWhole: boolean) {
  const stream = await render(page(hasLatePart), {
    nonce: "n",
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  });
  if (isWhole) await stream.allReady;
  const chunks: (Uint8Array | string)[] = [];
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array | string>) chunks.push(chunk);
  const text = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString("utf8");
  return { count: chunks.length, text, isText: chunks.every((chunk) => typeof chunk === "string") };
}

describe("the renderer with joined chunks", () => {
  const render = joinedModule.exports.renderToReadableStream;

  it("renders the same page as one text", async () => {
    for (const hasLatePart of [true, false]) {
      const original = await readChunks(renderToReadableStream, hasLatePart, true);
      const joined = await readChunks(render, hasLatePart, true);
      expect(joined.text).toBe(original.text);
      expect(original.count).toBeGreaterThan(10);
      expect(joined.count).toBe(1);
      expect(joined.isText).toBe(true);
    }
  });

  it("streams the same page in parts", async () => {
    const original = await readChunks(renderToReadableStream, true, false);
    const joined = await readChunks(render, true, false);
    expect(joined.text.replace(/<!--.*?-->/g, "")).toBe(original.text.replace(/<!--.*?-->/g, ""));
    expect(joined.count).toBeGreaterThan(1);
  });

  it("keeps pages that are rendered at the same time apart", async () => {
    const [slowPage, quickPage] = await Promise.all([
      readChunks(render, true, false),
      readChunks(render, false, false),
    ]);
    expect([slowPage.text, quickPage.text]).toEqual([
      (await readChunks(render, true, false)).text,
      (await readChunks(render, false, false)).text,
    ]);
  });

  it("rejects another version of React", () => {
    expect(() => joinChunks(source.replace("function u(a)", "function u(b)"))).toThrow("does not contain");
  });
});
