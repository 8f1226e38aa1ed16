import { expect, it } from "vitest";
import { removeHandlers } from "./server-handlers";

it("removes handlers of elements, and keeps other properties and the lines", () => {
  const code = `_jsx("button", {
  type: "button",
  onClick: () => {
    press();
  },
  children: "Go"
});`;
  expect(removeHandlers(code).replaceAll(/\s/g, "")).toBe('_jsx("button",{type:"button",children:"Go"});');
  expect(removeHandlers(code).split("\n")).toHaveLength(code.split("\n").length);
});

it("keeps handlers of components, and removes those of elements inside them", () => {
  const code =
    'jsxs(Row, { onPress: () => jsx("a", { onClick: f, onFocus: g }), children: jsx("i", { onInput: h }) })';
  expect(removeHandlers(code).replaceAll(/[ ,]/g, "")).toBe(
    'jsxs(Row{onPress:()=>jsx("a"{})children:jsx("i"{})})',
  );
});

it("removes a handler that creates an element with a handler", () => {
  const code = 'jsx("a", { onClick: () => show(jsx("b", { onClick: f })), id })';
  expect(removeHandlers(code).replaceAll(" ", "")).toBe('jsx("a",{id})');
});
