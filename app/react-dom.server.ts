/**
 * Replaces react-dom in the server build (vite.config.ts), so that its renderer of 130 KB is not in the worker. Packages import it but call it only
 * in browsers, where the real package is used.
 */
function onlyInBrowsers(): never {
  throw new Error("react-dom runs only in browsers");
}

export const createPortal = onlyInBrowsers;
export const flushSync = onlyInBrowsers;
export default { createPortal, flushSync };
