import { expect, it } from "vitest";
import { readUpload } from "./read-upload";

function postForm(
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

it("returns the file of a form", async () => {
  expect(
    await readUpload(postForm(new File(["ab"], "users.csv"), {}, { encoding: "euc-jp" }), "file", 10),
  ).toEqual({
    file: { fileName: "users.csv", bytes: new Uint8Array([97, 98]) },
    texts: { encoding: "euc-jp" },
  });
});

it("returns null if no file was selected", async () => {
  for (const emptyValue of [null, "text", new File([], "")])
    expect((await readUpload(postForm(emptyValue), "file", 10)).file).toBeNull();
});

it("rejects a file that is too large, and a form whose declared size is too large", async () => {
  expect(await readUpload(postForm(new File(["x".repeat(11)], "a")), "file", 10)).toMatchObject(TOO_LARGE);
  const falseHeaders = { "content-length": "900000" };
  expect(await readUpload(postForm(new File(["x"], "a"), falseHeaders), "file", 10)).toMatchObject(TOO_LARGE);
});

it("responds 400 to a body that is no form", async () => {
  const request = new Request("http://hiroba.test/", { method: "POST", body: "x" });
  await expect(readUpload(request, "file", 10)).rejects.toMatchObject({ status: 400 });
});
