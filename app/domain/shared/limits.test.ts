import { describe, expect, it } from "vitest";
import {
  EVENT_DETAIL_MAX,
  EVENT_NAME_MAX,
  eventLimit,
  hasSpaceLicense,
  PAGE_SIZE,
  PRODUCT_PAGE_SIZE,
  storageLeft,
  TOAST_MS,
  UPLOAD_MAX_BYTES,
  uploadProblem,
} from "./limits";

describe("the limits of the specification", () => {
  it("are what it says", () => {
    expect([EVENT_NAME_MAX, EVENT_DETAIL_MAX, PAGE_SIZE, TOAST_MS, PRODUCT_PAGE_SIZE]).toEqual([
      32, 1000, 20, 3000, 250,
    ]);
    expect(UPLOAD_MAX_BYTES).toBe(314_572_800);
  });
});

describe("a licence", () => {
  it("allows as many spaces as it says", () => {
    expect(hasSpaceLicense({ spaceLicense: 3, spaceCount: 2 })).toBe(true);
    expect(hasSpaceLicense({ spaceLicense: 3, spaceCount: 3 })).toBe(false);
    expect(hasSpaceLicense({ spaceLicense: 3, spaceCount: 2 }, 2)).toBe(false);
    expect(hasSpaceLicense({ spaceLicense: 0, spaceCount: 0 })).toBe(false);
  });
});

describe("a library", () => {
  const user = { storageLimit: 1000, storageUsed: 900 };

  it("has room up to its very last byte", () => {
    expect(uploadProblem(user, 100)).toBeNull();
    expect(uploadProblem(user, 101)).toBe("library:errors.upload.capacity");
    expect(storageLeft({ storageLimit: 1000, storageUsed: 1200 })).toBe(0);
  });

  it("takes no file that is empty or over 300 MB, however much room there is", () => {
    const vast = { storageLimit: 1e15, storageUsed: 0 };
    expect(uploadProblem(vast, UPLOAD_MAX_BYTES)).toBeNull();
    expect(uploadProblem(vast, UPLOAD_MAX_BYTES + 1)).toBe("library:errors.upload.tooLarge");
    for (const bytes of [0, -1, Number.NaN])
      expect(uploadProblem(vast, bytes)).toBe("library:errors.upload.empty");
  });
});

it("gives each space of a licence its first event beside the number that all owners have", () => {
  expect(eventLimit({ spaceLicense: 10_000 })).toBe(11_000);
  expect(eventLimit({ spaceLicense: 0 })).toBe(1000);
});
