import { expect, it } from "vitest";
import { readUpload } from "./read-upload";

function posted(file: File | string | null, headers: Record<string, string> = {}): Request {
  const body = new FormData();
  if (file !== null) body.set("file", file);
  return new Request("http://hiroba.test/", { method: "POST", body, headers });
}

it("hands the file of a form over", async () => {
  expect(await readUpload(posted(new File(["ab"], "users.csv")), "file", 10)).toEqual({
    fileName: "users.csv",
    bytes: new Uint8Array([97, 98]),
  });
});

it("finds none where none was chosen", async () => {
  for (const nothing of [null, "text", new File([], "")])
    expect(await readUpload(posted(nothing), "file", 10)).toBeNull();
});

it("refuses what is too large, by what it says before reading it", async () => {
  expect(await readUpload(posted(new File(["x".repeat(11)], "a")), "file", 10)).toBe("too_large");
  const claims = { "content-length": "900000" };
  expect(await readUpload(posted(new File(["x"], "a"), claims), "file", 10)).toBe("too_large");
});

it("answers 400 to what is no form", async () => {
  const request = new Request("http://hiroba.test/", { method: "POST", body: "x" });
  await expect(readUpload(request, "file", 10)).rejects.toMatchObject({ status: 400 });
});
