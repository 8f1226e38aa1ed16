import type { Plugin } from "vite";
import { replaceCode } from "./replace-code";

/** React's renderer for workers (react-dom 18.3.1), to which vite.config.ts resolves `react-dom/server`. */
const RENDERER = /\/react-dom-server\.browser\.production\.min\.js$/;

/** Code of that renderer, and the code that replaces it. `l` is the pending output, `n` its length. */
const REPLACEMENTS: readonly (readonly [string, string])[] = [
  // writeChunk: adds the fragment to the pending text, instead of copying its bytes.
  [
    "function p(a,b){if(0!==b.length)if(512<b.length)0<n&&(a.enqueue(new Uint8Array(l.buffer,0,n)),l=new Uint8Array(512),n=0),a.enqueue(b);else{var c=l.length-n;c<b.length&&(0===c?a.enqueue(l):(l.set(b.subarray(0,c),n),a.enqueue(l),b=b.subarray(c)),l=new Uint8Array(512),n=0);l.set(b,n);n+=b.length}}",
    "function p(a,b){l+=b}",
  ],
  // completeWriting: sends the whole text.
  [
    "function ba(a){l&&0<n&&(a.enqueue(new Uint8Array(l.buffer,0,n)),l=null,n=0)}",
    'function ba(a){l&&a.enqueue(l);l=""}',
  ],
  // stringToChunk and stringToPrecomputedChunk.
  ["function u(a){return ca.encode(a)}", "function u(a){return a}"],
  ["function w(a){return ca.encode(a)}", "function w(a){return a}"],
  // beginWriting, in flushCompletedQueues.
  ["{l=new Uint8Array(512);n=0;try{", '{l="";try{'],
  ["ba(b);l=new Uint8Array(512);n=0;", "ba(b);"],
  // The page's stream, which then accepts text.
  ['new ReadableStream({type:"bytes",pull', "new ReadableStream({pull"],
];

/**
 * Makes React's renderer collect text, and send it as text when it is read. React 18 encodes every fragment and copies it into pieces of 512 bytes,
 * which takes a quarter of the time of rendering a page.
 * @throws when the renderer's code differs from the version for which the replacements were written
 */
export const joinChunks = (code: string): string => replaceCode("React's renderer", code, REPLACEMENTS);

/** Replaces React's renderer in the server build: see joinChunks. */
export const rendererChunks = (): Plugin => ({
  name: "renderer-chunks",
  enforce: "pre",
  applyToEnvironment: ({ name }) => name === "ssr",
  transform: (code, id) => (RENDERER.test(id) ? { code: joinChunks(code), map: null } : null),
});
