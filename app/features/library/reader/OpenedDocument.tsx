import { lazy, Suspense } from "react";
import { useHydrated } from "~/components/use-hydrated";
import { DocumentLink } from "./DocumentLink";
import type { ReaderProps } from "./reader.client";

const Reader = lazy(() =>
  // If the script cannot be loaded, the link to the file stays.
  import("./reader.client").catch(() => ({ default: DocumentLink })),
);

/** A document that opens as soon as scripts run. If the reader's script cannot be loaded, no callback is called. */
export function OpenedDocument(props: Omit<ReaderProps, "takesFocus">) {
  const documentLink = <DocumentLink src={props.src} title={props.title} />;
  if (!useHydrated()) return documentLink;
  return (
    <Suspense fallback={documentLink}>
      <Reader {...props} />
    </Suspense>
  );
}
