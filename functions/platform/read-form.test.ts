import { expect, it } from "vitest";
import { readForm } from "./read-form";

const post = (body: BodyInit) => readForm(new Request("https://h.example/login", { method: "POST", body }));

it("keeps the fields of our forms as they were typed", async () => {
  const sent = new URLSearchParams([
    ["eventName", "広場 🎌"],
    ["urlParams.ts", "5"],
    ["extraParams[0].name", "sr"],
    ["stored-ticket", "t"],
    ["intent", "clear:startDate"],
  ]);
  expect([...(await post(sent))]).toEqual([...sent]);
});

it("leaves out what no form of ours sends, however harmful", async () => {
  const form = new FormData();
  form.append("email", "a");
  form.append("x[2000000]", "1");
  form.append("x.a.a.a", "1");
  form.append(`x${".a".repeat(5000)}`, "1");
  form.append("__proto__.polluted", "1");
  expect([...(await post(form))]).toEqual([["email", "a"]]);
});

it("refuses a body that is no form, and a form without end", async () => {
  const file = new FormData();
  file.append("eventDetail", new Blob(["x"]), "x.txt");
  for (const body of ["{}", file, new URLSearchParams(Array.from({ length: 2001 }, (_, i) => [`f${i}`, ""]))])
    await expect(post(body)).rejects.toMatchObject({ status: 400 });
});
