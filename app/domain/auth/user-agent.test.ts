import { describe, expect, it } from "vitest";
import { describeDevice } from "./user-agent";

const WIN = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("a device", () => {
  it.each([
    [`${WIN} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome", "Windows", "computer"],
    [`${WIN} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge", "Windows", "computer"],
    [`${WIN} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/125.0.0.0`, "Opera", "Windows", "computer"],
    [
      "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      "Firefox",
      "Linux",
      "computer",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
      "Safari",
      "macOS",
      "computer",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
      "Safari",
      "iOS",
      "phone",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/13.14.0",
      "Safari",
      "iOS",
      "phone",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
      "Safari",
      "macOS",
      "computer",
    ],
    [
      "Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
      "Chrome",
      "iPadOS",
      "tablet",
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      "Samsung Internet",
      "Android",
      "phone",
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
      "Chrome",
      "Android",
      "tablet",
    ],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
      "Chrome",
      "ChromeOS",
      "computer",
    ],
  ])("is derived from %s", (header, browser, system, kind) => {
    expect(describeDevice(header)).toEqual({ browser, system, kind });
  });

  it.each([
    "",
    "curl/8.5.0",
    "Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/20.0.3",
    "python-requests/2.32",
    "node",
    "Mozilla/5.0",
    "<script>",
    "\u202e",
  ])("is a program if %s names no browser", (header) => {
    expect(describeDevice(header)).toMatchObject({ kind: "program", browser: "" });
  });
});
