import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { ConversionRequest } from "./conversion-state";
import { convertItem, onConversionEnd } from "./current-conversion-queue";

/** A file that waits for its conversion, with the fields that a loader returns. */
export type WaitingItem = Pick<
  ConversionRequest,
  "itemId" | "name" | "mimeType" | "kind" | "quality" | "needsComparison" | "updatesThumbnail"
>;

/** Continues unfinished conversions, including those that another browser began, and reloads the page's data when one ends. */
export function ConvertWaiting({ items }: { readonly items: readonly WaitingItem[] }) {
  const revalidator = useRevalidator();
  const latestRevalidator = useRef(revalidator);
  useEffect(() => {
    latestRevalidator.current = revalidator;
  });
  useEffect(() => onConversionEnd(() => latestRevalidator.current.revalidate()), []);
  const key = items.map(({ itemId }) => itemId).join();
  const latestItems = useRef(items);
  latestItems.current = items;
  useEffect(() => {
    if (key === "") return;
    for (const item of latestItems.current) void convertItem({ ...item, file: null });
  }, [key]);
  return null;
}
