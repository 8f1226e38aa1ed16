import type { ReactNode } from "react";

/** A term and its value in a description list: `<dl className="grid grid-cols-[auto_1fr] …">`. */
export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 tabular-nums wrap-anywhere">{children}</dd>
    </>
  );
}
