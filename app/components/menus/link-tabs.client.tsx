import { Tab, TabGroup, TabList } from "@headlessui/react";
import type { ComponentPropsWithoutRef, KeyboardEvent } from "react";
import { Anchor } from "../anchor";

export interface EnhancedLinkTabsProps {
  readonly label: string;
  /** Props of the tabs' links. */
  readonly links: readonly ComponentPropsWithoutRef<typeof Anchor>[];
  /** Index of the current page's tab. */
  readonly current: number;
  readonly className: string;
}

/** Tabs of Headless UI. Only one of them is in the tab order; arrows, Home and End move the focus; Enter and Space follow the tab's link. */
export function EnhancedLinkTabs({ label, links, current, className }: EnhancedLinkTabsProps) {
  return (
    <TabGroup selectedIndex={current} manual>
      <TabList as="ul" aria-label={label} className={className}>
        {links.map((link) => (
          <li key={link.href} role="presentation">
            <Tab
              as={Anchor}
              {...link}
              onKeyDown={(event: KeyboardEvent<HTMLAnchorElement>) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                const { ctrlKey, metaKey, shiftKey } = event;
                const eventInit = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
                event.currentTarget.dispatchEvent(new MouseEvent("click", eventInit));
              }}
            />
          </li>
        ))}
      </TabList>
    </TabGroup>
  );
}
