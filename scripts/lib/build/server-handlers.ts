import { type Plugin, parseAst } from "vite";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface JsxCall extends Node {
  readonly type: "CallExpression";
  readonly callee: { readonly name?: string };
  readonly arguments: readonly [
    { readonly value?: unknown },
    { readonly properties?: readonly (Node & { readonly key?: { readonly name?: string } })[] }?,
  ];
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
const isJsxCall = (node: Node): node is JsxCall =>
  node.type === "CallExpression" && /^_?jsxs?$/.test((node as JsxCall).callee.name ?? "");

const listHandlers = (call: JsxCall): readonly Node[] =>
  (call.arguments[1]?.properties ?? []).filter(
    ({ type, key }) => type === "Property" && /^on[A-Z]/.test(key?.name ?? ""),
  );

/**
 * Removes the event handlers of HTML and SVG elements, which React's server renderer ignores. Handlers of components stay, because a component may render
 * something else without them.
 * @param code a module after the transformation of JSX
 */
export function removeHandlers(code: string): string {
  const removed: Node[] = [];
  const visit = (node: Node) => {
    const handlers =
      isJsxCall(node) && typeof node.arguments[0]?.value === "string" ? listHandlers(node) : [];
    removed.push(...handlers);
    for (const child of Object.values(node).flat())
      if (isNode(child) && !removed.includes(child)) visit(child);
  };
  visit(parseAst(code));
  return removed
    .sort((a, b) => b.start - a.start)
    .reduce((changed, { start, end }) => {
      // Line breaks stay, so that the lines of source maps remain correct.
      const lines = changed.slice(start, end).replace(/[^\n]/g, "");
      return changed.slice(0, start) + lines + changed.slice(end).replace(/^(\s*),/, "$1");
    }, code);
}

/** Removes the event handlers of elements from the pages of the server build. */
export const serverHandlers = (): Plugin => ({
  name: "server-handlers",
  enforce: "post",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "ssr",
  transform(code, id) {
    return /\/app\/.*\.tsx$/.test(id) ? { code: removeHandlers(code), map: null } : null;
  },
});
