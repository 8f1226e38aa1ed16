import { expect, it } from "vitest";
import { readUpload } from "./read-upload";

function posted(
  file: File | string | null,
  headers: Record<string, string> = {},
  texts: Record<string, string> = {},
): Request {
  const body = new FormData();
  for (const [name, text] of Object.entries(texts)) body.set(name, text);
  if (file !== null) body.set("file", file);
  return new Request("http://hiroba.test/", { method: "POST", body, headers });
}

const TOO_LARGE = { file: "too_large" };

it("hands the file of a form over", async () => {
  expect(
    await readUpload(posted(new File(["ab"], "users.csv"), {}, { encoding: "euc-jp" }), "file", 10),
  ).toEqual({
    file: { fileName: "users.csv", bytes: new Uint8Array([97, 98]) },
    texts: { encoding: "euc-jp" },
  });
});

it("finds none where none was chosen", async () => {
  for (const nothing of [null, "text", new File([], "")])
    expect((await readUpload(posted(nothing), "file", 10)).file).toBeNull();
});

it("refuses what is too large, by what it says before reading it", async () => {
  expect(await readUpload(posted(new File(["x".repeat(11)], "a")), "file", 10)).toMatchObject(TOO_LARGE);
  const claims = { "content-length": "900000" };
  expect(await readUpload(posted(new File(["x"], "a"), claims), "file", 10)).toMatchObject(TOO_LARGE);
});

it("answers 400 to what is no form", async () => {
  const request = new Request("http://hiroba.test/", { method: "POST", body: "x" });
  await expect(readUpload(request, "file", 10)).rejects.toMatchObject({ status: 400 });
});
