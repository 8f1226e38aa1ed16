import { expect, it } from "vitest";
import { isUuid, toUuid } from "./ids";

const ID = "0b8e5b5e-6f0c-4a57-9f3b-5d1c7e2a9f10";

it("an id in any case is converted to lower case, and any other value to null", () => {
  expect([toUuid(ID), toUuid(ID.toUpperCase())]).toEqual([ID, ID]);
  expect([isUuid(ID), isUuid(ID.toUpperCase())]).toEqual([true, false]);
  expect(["", "x", `${ID}0`, ` ${ID}`, undefined, null, 7, [ID]].map(toUuid)).toEqual(Array(8).fill(null));
});
