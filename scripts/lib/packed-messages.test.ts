import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readMessages } from "~/i18n/resources.server";
import { loadMessageModule, packMessages } from "./packed-messages";

describe("the worker's messages", () => {
  it("are those of the source", async () => {
    for (const lang of ["ja", "en"] as const)
      expect(JSON.parse(brotliDecompressSync(packMessages(readMessages, lang)).toString())).toEqual(
        readMessages(lang),
      );
  });

  it("are read from the disk", async () => {
    const module = await loadMessageModule();
    expect(module.readMessages("en")).toEqual(readMessages("en"));
    expect(module.readMessages("ja")).toEqual(readMessages("ja"));
  });
});
