import { lazy, Suspense } from "react";
import { useHydrated } from "~/components/use-hydrated";
import { Document } from "./Document";
import type { ReaderProps } from "./reader.client";

const Reader = lazy(() =>
  // If the script cannot be loaded, the link to the file stays.
  import("./reader.client").catch(() => ({ default: Document })),
);

/** A document that opens as soon as scripts run. It reports that its first page was drawn, that it is locked, or that it is damaged. */
export function OpenedDocument(props: Omit<ReaderProps, "takesFocus">) {
  const documentLink = <Document src={props.src} title={props.title} />;
  if (!useHydrated()) return documentLink;
  return (
    <Suspense fallback={documentLink}>
      <Reader {...props} />
    </Suspense>
  );
}
