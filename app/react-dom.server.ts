/**
 * What packages import of react-dom, for the server's build (vite.config.ts): they call it in browsers alone, where the real one is. Its
 * renderer of 130 KB would be part of the worker otherwise.
 */
function onlyInBrowsers(): never {
  throw new Error("react-dom runs in browsers alone");
}

export const createPortal = onlyInBrowsers;
export const flushSync = onlyInBrowsers;
export default { createPortal, flushSync };
