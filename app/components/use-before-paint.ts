import { useEffect, useLayoutEffect } from "react";

/** Effect that runs before the browser paints. It is a plain effect on the server, where React warns about layout effects. */
export const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;
