import { Anchor } from "../anchor";
import { cx } from "../cx";

export interface SubNavItem {
  readonly href: string;
  readonly label: string;
  readonly current: boolean;
}

/** Links to the screens of one section, above the heading: `<SubNav label=… items={[{ href, label, current }]} />`. */
export function SubNav({ label, items }: { readonly label: string; readonly items: readonly SubNavItem[] }) {
  return (
    <nav aria-label={label} className="border-b border-line print:hidden">
      <ul className="-mb-px flex gap-3 overflow-x-auto sm:gap-6">
        {items.map((item) => (
          <li key={item.href}>
            <Anchor
              href={item.href}
              aria-current={item.current ? "page" : undefined}
              className={cx(
                "inline-flex min-h-11 items-center border-b-2 text-sm whitespace-nowrap no-underline -outline-offset-2",
                item.current
                  ? "border-accent font-semibold text-ink"
                  : "border-transparent text-muted hover:border-edge hover:text-ink forced-colors:border-[Canvas]",
              )}
            >
              {item.label}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
