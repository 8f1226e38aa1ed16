import type { ReactNode } from "react";
import { Icon } from "~/components/icon";

/** Part of the page that users open and close, with and without scripts. It is printed only while it is open. */
export function Disclosure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <details className="group not-open:print:hidden">
      <summary className="inline-flex min-h-10 items-center gap-1.5 rounded pr-2 text-sm text-muted hover:text-ink">
        <Icon name="chevron-right" size={16} className="group-open:rotate-90" />
        {label}
      </summary>
      {children}
    </details>
  );
}
