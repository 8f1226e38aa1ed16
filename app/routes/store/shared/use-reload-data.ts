import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** Loads the page's data again at the first render with a reason, and whenever the reason changes. @param reason null for no reload */
export function useReloadData(reason: string | number | null): void {
  const { revalidate } = useRevalidator();
  // The router returns a new function after each reload, which must not trigger another reload.
  const latestRevalidate = useRef(revalidate);
  useEffect(() => {
    latestRevalidate.current = revalidate;
  });
  useEffect(() => {
    if (reason !== null) latestRevalidate.current();
  }, [reason]);
}
