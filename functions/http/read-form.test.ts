import { expect, it, vi } from "vitest";
import { readForm } from "./read-form";

const post = (body: BodyInit) => readForm(new Request("https://h.example/login", { method: "POST", body }));

it("keeps the fields of the product's forms as typed", async () => {
  const fields = new URLSearchParams([
    ["eventName", "広場 🎌"],
    ["urlParams.ts", "5"],
    ["extraParams[0].name", "sr"],
    ["stored-ticket", "t"],
    ["intent", "clear:startDate"],
  ]);
  expect([...(await post(fields))]).toEqual([...fields]);
});

it("drops fields that no form of the product sends", async () => {
  const form = new FormData();
  form.append("email", "a");
  form.append("x[2000000]", "1");
  form.append("x.a.a.a", "1");
  form.append(`x${".a".repeat(5000)}`, "1");
  form.append("__proto__.polluted", "1");
  expect([...(await post(form))]).toEqual([["email", "a"]]);
});

it("rejects a body that is no form, a file, and a form with too many fields", async () => {
  const file = new FormData();
  file.append("eventDetail", new Blob(["x"]), "x.txt");
  for (const body of ["{}", file, new URLSearchParams(Array.from({ length: 2001 }, (_, i) => [`f${i}`, ""]))])
    await expect(post(body)).rejects.toMatchObject({ status: 400 });
});

it("does not parse a body with too many fields, or a multipart body without a boundary", async () => {
  const parseForm = vi.spyOn(Response.prototype, "formData");
  const manyFields = `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(5000);
  const bodies = [
    ["application/x-www-form-urlencoded", "a&".repeat(1_000_000)],
    ["multipart/form-data; boundary=b", `${manyFields}--b--\r\n`],
    ["multipart/form-data; charset=utf-8", `${manyFields}--b--\r\n`],
  ] as const;
  for (const [type, body] of bodies) {
    const request = new Request("https://h.example/login", {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    await expect(readForm(request)).rejects.toMatchObject({ status: 400 });
  }
  expect(parseForm).not.toHaveBeenCalled();
  parseForm.mockRestore();
});

it("accepts the maximum number of fields in both encodings of a form", async () => {
  const pairs = Array.from({ length: 2000 }, (_, i): [string, string] => [`f${i}`, "-- & %26\r\n--"]);
  const form = new FormData();
  for (const pair of pairs) form.append(...pair);
  for (const body of [new URLSearchParams(pairs), form]) expect([...(await post(body))]).toEqual(pairs);
});
