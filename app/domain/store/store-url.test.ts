import { describe, expect, it } from "vitest";
import { readStoreUrl } from "./store-url";

describe("a store's URL", () => {
  it.each([
    ["shop.myshopify.com", "https://shop.myshopify.com"],
    ["https://shop.myshopify.com/", "https://shop.myshopify.com"],
    ["http://shop.myshopify.com", "https://shop.myshopify.com"],
    ["HTTP://Shop.MyShopify.com/collections/all?x=1#y", "https://shop.myshopify.com"],
    ["http://shop.myshopify.com:80", "https://shop.myshopify.com"],
    ["https://shop.myshopify.com:443", "https://shop.myshopify.com"],
    ["https://bücher.example.com", "https://xn--bcher-kva.example.com"],
  ])("%s becomes %s", (input, origin) => {
    expect(readStoreUrl(input)).toEqual({ origin });
  });

  it.each([
    ["", "invalid"],
    ["https://", "invalid"],
    ["ftp://shop.example.com", "invalid"],
    ["javascript:alert(1)", "invalid"],
    ["https:///shop.example.com", "invalid"],
    ["https://shop .example.com", "invalid"],
    ["https://shop.example.com\\@evil.example", "invalid"],
    ["https://user:secret@shop.example.com", "credentials"],
    ["https://user@shop.example.com", "credentials"],
    ["https://@shop.example.com", "credentials"],
    ["localhost", "host"],
    ["https://localhost:8787", "host"],
    ["https://LOCALHOST", "host"],
    ["https://a.localhost", "host"],
    ["https://printer.local", "host"],
    ["https://metadata.google.internal", "host"],
    ["https://127.0.0.1", "host"],
    ["https://2130706433", "host"],
    ["https://0x7f.1", "host"],
    ["https://１２７.0.0.1", "host"],
    ["https://[::1]", "host"],
    ["https://[::ffff:10.0.0.1]", "host"],
    ["https://shop", "host"],
    ["https://shop.example.com.", "host"],
    ["https://shop.example.com:8443", "host"],
    [`https://${"a".repeat(300)}.com`, "tooLong"],
  ])("%s is rejected: %s", (input, reason) => {
    expect(readStoreUrl(input)).toEqual({ error: `store:errors.spStoreUrl.${reason}` });
  });

  it("may be on a private host only if that is allowed, always by https", () => {
    const allowed = (host: string) => host === "localhost:9443";
    expect(readStoreUrl("http://localhost:9443/x", allowed)).toEqual({ origin: "https://localhost:9443" });
    expect(readStoreUrl("https://localhost:9444", allowed)).toEqual({
      error: "store:errors.spStoreUrl.host",
    });
    expect(readStoreUrl("https://user@localhost:9443", allowed)).toEqual({
      error: "store:errors.spStoreUrl.credentials",
    });
  });
});
