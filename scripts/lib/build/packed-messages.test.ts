import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { unpackTrees } from "~/i18n/message-trees.server";
import { readMessages } from "~/i18n/resources.server";
import { loadMessageModule, packMessages } from "./packed-messages";

const unpack = (data: Buffer) => brotliDecompressSync(data).toString();

describe("the worker's messages", () => {
  it("are those of the source", async () => {
    const packed = packMessages(readMessages);
    for (const lang of ["ja", "en"] as const)
      expect(unpackTrees(unpack(packed.keys), unpack(packed[lang]))).toEqual(readMessages(lang));
  });

  it("of a namespace are unpacked when they are first read", () => {
    const messages = unpackTrees('["good","damaged"]\n{"text":0}\n{', '["Text"]\n[]');
    expect(messages.good).toEqual({ text: "Text" });
    expect(() => messages.damaged).toThrow(SyntaxError);
  });

  it("are read from the disk", async () => {
    const module = await loadMessageModule();
    expect(module.readMessages("en")).toEqual(readMessages("en"));
    expect(module.readMessages("ja")).toEqual(readMessages("ja"));
  });
});
