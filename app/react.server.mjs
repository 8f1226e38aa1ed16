/**
 * React as an ES module, for the server build (vite.config.ts). The server never runs effects: calls of the four functions at the end are
 * removed from the build, with the code that only they use.
 */
import * as react from "../node_modules/react/cjs/react.production.min.js";

export const {
  __SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED,
  Children,
  Component,
  cloneElement,
  createContext,
  createElement,
  createRef,
  Fragment,
  forwardRef,
  isValidElement,
  lazy,
  memo,
  PureComponent,
  StrictMode,
  Suspense,
  startTransition,
  useCallback,
  useContext,
  useDebugValue,
  useDeferredValue,
  useId,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
  version,
} = react;
export default react;

/* @__NO_SIDE_EFFECTS__ */
export function useEffect() {}
/* @__NO_SIDE_EFFECTS__ */
export function useImperativeHandle() {}
/* @__NO_SIDE_EFFECTS__ */
export function useInsertionEffect() {}
/* @__NO_SIDE_EFFECTS__ */
export function useLayoutEffect() {}
