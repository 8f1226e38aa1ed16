import { expect, it } from "vitest";
import { formHref, openItemId, opensForm } from "./panels";

const ID = "0b9e9a2c-0f5c-4f0e-9d59-0d8f4a3f5c11";
const params = (search: string) => new URLSearchParams(search);

it("opens the form of an item only in the panel that contains it", () => {
  const formQueries = [`?panel=tags&tag=${ID}`, `?panel=media&medium=${ID}`, `?panel=tour&stop=${ID}`];
  expect(formQueries.map((search) => opensForm(params(search)))).toEqual([true, true, true]);
  expect(formQueries.map((search) => openItemId(params(search)))).toEqual([ID, ID, null]);
  expect(formQueries.map((search) => formHref(params(search)))).toEqual(formQueries);
  const otherPanelQueries = [
    `?panel=links&tag=${ID}`,
    `?panel=media&tag=${ID}`,
    `?panel=tags&medium=${ID}`,
    `?tag=${ID}`,
  ];
  expect(
    otherPanelQueries.filter((search) => opensForm(params(search)) || openItemId(params(search))),
  ).toEqual([]);
  expect(formHref(params(`?panel=links&tag=${ID}`))).toBe("?panel=links");
});
