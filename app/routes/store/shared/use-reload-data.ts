import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Loads the page's data again whenever a reason appears or changes.
 * @param reason null for none
 */
export function useReloadData(reason: string | number | null): void {
  const { revalidate } = useRevalidator();
  // The router returns another function after each reload, which must not trigger one.
  const latest = useRef(revalidate);
  useEffect(() => {
    latest.current = revalidate;
  });
  useEffect(() => {
    if (reason !== null) latest.current();
  }, [reason]);
}
