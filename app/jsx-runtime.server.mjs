/**
 * React's JSX functions as exports of an ES module, for the server build (vite.config.ts). Calls of exported functions are shorter than
 * calls of a CommonJS module's properties, and the pages have thousands of them.
 */
import * as runtime from "../node_modules/react/cjs/react-jsx-runtime.production.min.js";

export const { Fragment, jsx, jsxs } = runtime;
