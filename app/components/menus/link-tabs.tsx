import { type ReactNode, useEffect, useRef } from "react";
import { Anchor, preventReload } from "../anchor";
import { useReplacements } from "./use-replacements";

export interface LinkTab {
  readonly href: string;
  readonly label: ReactNode;
}

interface LinkTabsProps {
  readonly label: string;
  readonly tabs: readonly LinkTab[];
  /** Index of the current page's tab. */
  readonly current: number;
}

const listClasses =
  "-mb-px flex flex-wrap px-2.5 max-lg:portrait:flex-nowrap max-lg:portrait:overflow-x-auto sm:px-4";

/** Returns the props of a tab's link. */
const tabLinkProps = ({ href, label }: LinkTab, isCurrent: boolean) =>
  ({
    href,
    children: label,
    keepScroll: true,
    onClick: preventReload,
    "aria-current": isCurrent ? "page" : undefined,
    className: `inline-flex min-h-11 items-center gap-1.5 border-b-2 px-1.5 text-sm sm:px-2 whitespace-nowrap no-underline -outline-offset-2 ${isCurrent ? "border-accent font-semibold text-ink" : "border-transparent text-muted hover:border-edge hover:text-ink"}`,
  }) as const;

/**
 * Tabs that are links: `<LinkTabs label=… tabs={[{ href, label }]} current={0} />`. The server renders plain links, which scripts replace by tabs of
 * Headless UI.
 */
export function LinkTabs({ label, tabs, current }: LinkTabsProps) {
  const host = useRef<HTMLElement>(null);
  const replacements = useReplacements(host);
  const links = tabs.map((tab, index) => tabLinkProps(tab, index === current));
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for each tab and after the replacement
  useEffect(() => {
    const list = host.current?.querySelector("ul");
    const link = list?.querySelector<HTMLElement>("[aria-current]");
    // On phones, the tabs form a row that may be wider than the screen. scrollIntoView would also scroll the page.
    if (list && link) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
  }, [current, replacements]);
  return (
    <nav ref={host} aria-label={label} className="border-b border-line">
      {replacements ? (
        <replacements.EnhancedLinkTabs
          label={label}
          links={links}
          current={current}
          className={listClasses}
        />
      ) : (
        <ul className={listClasses}>
          {links.map((link) => (
            <li key={link.href}>
              <Anchor {...link} />
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
