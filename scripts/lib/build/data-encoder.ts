import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { replaceCode } from "./replace-code";

/** The module of turbo-stream (2.4), which encodes the loaders' data for the browser. */
const ENCODER = /\/turbo-stream\/dist\/turbo-stream\.mjs$/;

const REPLACEMENTS: readonly (readonly [string, string])[] = [
  // Most values are texts. They need neither a stack nor plugins.
  [
    `  const { deferred, plugins, postPlugins } = this;
  const str = this.stringified;
  const stack = [[input, index]];
`,
    `  const { deferred, plugins, postPlugins, indices } = this;
  const str = this.stringified;
  if (typeof input === "string") {
    str[index] = JSON.stringify(input);
    return;
  }
  const indexOf = (value) => indices.get(value) || flatten.call(this, value);
  const partsForObj = (obj) => {
    let parts = "";
    for (const key of Object.keys(obj)) parts += \`\${parts && ","}"_\${indexOf(key)}":\${indexOf(obj[key])}\`;
    return parts;
  };
  const stack = [[input, index]];
`,
  ],
  // For a value that it has encoded before, flatten returns an array with the value's index. Converting that array to text takes longer than
  // looking up the index.
  [
    `    const partsForObj = (obj) => Object.keys(obj).map((k) => \`"_\${flatten.call(this, k)}":\${flatten.call(this, obj[k])}\`).join(",");\n`,
    "",
  ],
  ["(i in input2 ? flatten.call(this, input2[i]) : HOLE)", "(i in input2 ? indexOf(input2[i]) : HOLE)"],
];

/**
 * Makes turbo-stream encode texts, and values that occur again, with less work. The encoded data are the same.
 * @throws when the code differs from the version for which the replacements were written
 */
export const encodeDirectly = (code: string): string => replaceCode("turbo-stream", code, REPLACEMENTS);

/** Replaces turbo-stream in the worker: see encodeDirectly. */
export const dataEncoder: Plugin = {
  name: "data-encoder",
  setup({ onLoad }) {
    onLoad({ filter: ENCODER }, ({ path }) => ({ contents: encodeDirectly(readFileSync(path, "utf8")) }));
  },
};
