import { expect, it } from "vitest";
import { commonPasswordForm, isTooCommon, isTrivialPassword, wordsProblem } from "./password-rule";

const OWN = ["hanako.yamada@demo.example", "Hanako", "山田", "花子"];

it("compares passwords without case and width", () => {
  expect(commonPasswordForm(" ＰａｓｓWord１ ")).toBe("password1");
});

it("rejects the product's name with a few characters around it, in Latin letters, kanji and kana", () => {
  for (const password of [
    "hiroba2026",
    "HIROBA!!",
    "広場広場広場広場",
    "1234広場567",
    "ｈｉｒｏｂａ00",
    "ひろばひろば",
    "ヒロバ2026",
  ])
    expect(wordsProblem(password, [])).toBe("auth:errors.password.productName");
});

it("rejects the account's address and names with a few characters around them", () => {
  for (const password of [
    "hanako.yamada@demo.example",
    "Hanako.Yamada",
    "hanako2026",
    "2026HANAKO!",
    "山田花子1985",
    "山田hiroba花子",
  ])
    expect(wordsProblem(password, OWN)).toBe("auth:errors.password.ownWords");
});

it("accepts a password with enough characters apart from these words", () => {
  for (const password of [
    "hanako likes rain",
    "hiroba-12345678",
    "correct horse battery",
    "山田さんの庭の古い池",
  ])
    expect(wordsProblem(password, OWN)).toBeNull();
});

it("ignores words that are too short to be recognised", () => {
  expect(wordsProblem("banana12", ["a", "an", ""])).toBeNull();
  expect(wordsProblem("ababab12", ["ab"])).toBeNull();
});

it("rejects all listed passwords for accounts, and the most common ones for events", () => {
  const ranks = [null, 1, 10_000, 10_001, 49_000];
  expect(ranks.map((rank) => isTooCommon(rank, "account"))).toEqual([false, true, true, true, true]);
  expect(ranks.map((rank) => isTooCommon(rank, "event"))).toEqual([false, true, true, false, false]);
});

it("rejects one repeated character, and passwords that are too short without their outer spaces", () => {
  for (const password of [
    "        ",
    "\u3000".repeat(8),
    "abc     ",
    "    1234    ",
    "ああああああああ",
    "%%%%%%%%%%%%",
  ])
    expect(isTrivialPassword(password), JSON.stringify(password)).toBe(true);
  for (const password of ["correct horse", "ab ab ab ab", " Kettle-4471 "])
    expect(isTrivialPassword(password), password).toBe(false);
});
