import { expect, it } from "vitest";
import { formatBytes, formatDuration, formatMoney, formatName } from "./format";

it("writes sizes in the unit that fits", () => {
  expect([0, 1023, 1024, 1536, 3_565_158, 314_572_800, 1_099_511_627_776].map(formatBytes)).toEqual([
    "0 B",
    "1,023 B",
    "1 KB",
    "1.5 KB",
    "3.4 MB",
    "300 MB",
    "1 TB",
  ]);
});

it("writes names in the order of their script", () => {
  const user = { firstName: "花子", lastName: "山田", email: "h@demo.example" };
  expect(formatName(user)).toBe("山田 花子");
  expect(formatName({ ...user, firstName: "Ada", lastName: "Okafor" })).toBe("Ada Okafor");
  expect(formatName({ ...user, firstName: "", lastName: "" })).toBe("h@demo.example");
});

it("writes durations in the format of media players", () => {
  expect([0, 7.4, 59.6, 750, 3723].map(formatDuration)).toEqual(["0:00", "0:07", "1:00", "12:30", "1:02:03"]);
});

it("writes amounts with the decimal places and the symbol of their currency", () => {
  const money = (amount: string, currencyCode: string) => ({ amount, currencyCode });
  expect(formatMoney(money("1650.0", "JPY"), "ja")).toBe("¥1,650");
  expect(formatMoney(money("1650.0", "JPY"), "en")).toBe("¥1,650");
  expect(formatMoney(money("11.5", "USD"), "en")).toBe("$11.50");
  expect(formatMoney(money("0.0", "EUR"), "ja")).toBe("€0.00");
  expect(formatMoney(money("12.345", "KWD"), "en")).toBe("KWD 12.345");
});
