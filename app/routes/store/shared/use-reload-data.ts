import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Asks for the page's data again each time that a reason appears or changes.
 * @param reason null for none
 */
export function useReloadData(reason: string | number | null): void {
  const { revalidate } = useRevalidator();
  // The router makes another function after each reload, which is no reason for one.
  const latest = useRef(revalidate);
  useEffect(() => {
    latest.current = revalidate;
  });
  useEffect(() => {
    if (reason !== null) latest.current();
  }, [reason]);
}
