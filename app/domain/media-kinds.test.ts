import { expect, it } from "vitest";
import { wantsStill } from "./media-kinds";

it("gives a still picture late to files that have none and are no pictures", () => {
  const none = { fileKey: "a", thumbKey: null };
  expect((["pdf", "model", "splat"] as const).every((kind) => wantsStill({ kind, ...none }))).toBe(true);
  expect((["image", "audio", "subtitle", "web"] as const).some((kind) => wantsStill({ kind, ...none }))).toBe(
    false,
  );
  expect(wantsStill({ kind: "pdf", fileKey: "a", thumbKey: "b" })).toBe(false);
  expect(wantsStill({ kind: "model", fileKey: null, thumbKey: null })).toBe(false);
});
