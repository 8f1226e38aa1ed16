import { expect, it } from "vitest";
import { classifyResponse } from "./classify-response";

const classify = (status: number, body: unknown = null, retryAfter: number | null = null) =>
  classifyResponse({ status, body, retryAfter });

it.each([
  [200, "ok"],
  [401, "signedOut"],
  [404, "gone"],
  // Status 0 means no response.
  [0, "again"],
  [409, "again"],
  [429, "again"],
  [500, "again"],
  [503, "again"],
  [400, "rejected"],
  [403, "rejected"],
  [413, "rejected"],
])("a response with status %i means: %s", (status, kind) => {
  expect(classify(status).kind).toBe(kind);
});

it("the delay before a repeated request is the server's Retry-After", () => {
  expect(classify(429, null, 5000)).toEqual({ kind: "again", retryAfter: 5000 });
});

it.each([
  ["upload_too_large", "library:errors.upload.tooLarge", "file"],
  ["upload_splats", "library:errors.upload.splats", "file"],
  ["upload_splat_attributes", "library:errors.upload.splat_attributes", "file"],
  ["upload_splat_parts", "library:errors.upload.splat_parts", "file"],
  ["upload_pixels", "library:errors.upload.pixels", "file"],
  ["library_capacity", "library:errors.upload.capacity", "capacity"],
  ["upload_part_size", "library:uploads.problem.rejected", "request"],
])("the code %s has the message %s and the cause %s", (code, key, cause) => {
  expect(classify(400, { code })).toEqual({ kind: "rejected", problem: { key }, cause });
});

it("a format that only the server can detect is rejected with this format's message and the codec", () => {
  const values = { codec: "Theora", format: "film" };
  expect(classify(400, { code: "upload_format", values })).toEqual({
    kind: "rejected",
    cause: "file",
    problem: { key: "library:errors.upload.format.film", values },
  });
});

it("a model with missing files is rejected with their names", () => {
  const values = { files: "scene.bin" };
  expect(classify(400, { code: "upload_model_files", values })).toEqual({
    kind: "rejected",
    cause: "file",
    problem: { key: "library:errors.upload.model_files", values },
  });
});

it("a file of another kind than the replaced one has its own message", () => {
  const problem = { key: "library:errors.upload.otherKind" };
  expect(classify(400, { code: "upload_other_kind" })).toMatchObject({ problem, cause: "file" });
  expect(classify(400, { code: "upload_kind" })).toMatchObject({
    problem: { key: "library:errors.upload.kind" },
  });
});

it("missing slices and an upload that the server is still completing are not reported as rejections", () => {
  expect(classify(400, { code: "upload_incomplete" }).kind).toBe("incomplete");
  expect(classify(409, { code: "upload_busy" }).kind).toBe("busy");
});
