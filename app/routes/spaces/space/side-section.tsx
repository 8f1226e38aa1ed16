import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";

/** A section beside a space's settings, with a heading and a link. */
export function SideSection({
  id,
  title,
  link,
  children,
}: {
  readonly id: string;
  readonly title: string;
  /** If `href` is null, no link is rendered. */
  readonly link: { readonly href: string | null; readonly label: string };
  readonly children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="grid gap-2 text-sm">
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {link.href && (
          <Anchor href={link.href} className="text-link">
            {link.label}
          </Anchor>
        )}
      </div>
      {children}
    </section>
  );
}
