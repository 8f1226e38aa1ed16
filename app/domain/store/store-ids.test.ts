import { describe, expect, it } from "vitest";
import { cartHandle, readCartCount, readCartId } from "./store-ids";

const id = "gid://shopify/Cart/Z2NwLWFzaWE?key=0a1b";

describe("a cart's handle", () => {
  it.each([null, 0, 3, 999_999_999])("contains its id and its item count: %j", (count) => {
    const handle = cartHandle(id, count);
    expect([readCartId(handle), readCartCount(handle)]).toEqual([id, count]);
  });

  it.each(["", ":3", "a b:3", "a:b:3", "a:-1", "a:1e3", "a:1234567890", 5, null])("is not %j", (handle) => {
    expect(readCartId(handle)).toBeNull();
  });
});
