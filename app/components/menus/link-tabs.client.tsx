import { Tab, TabGroup, TabList } from "@headlessui/react";
import { Anchor } from "../anchor";
import { type LinkTabsProps, tabLinkProps, tabListClasses } from "./link-tabs";

/** Tabs of Headless UI. Only one of them is in the tab order; arrows, Home and End move the focus; Enter and Space follow the tab's link. */
export function EnhancedTabs({ label, tabs, current }: LinkTabsProps) {
  return (
    <TabGroup selectedIndex={current} manual>
      <TabList as="ul" aria-label={label} className={tabListClasses}>
        {tabs.map((tab, index) => (
          <li key={tab.href} role="presentation">
            <Tab
              as={Anchor}
              {...tabLinkProps(tab, index === current)}
              onKeyDown={(event: React.KeyboardEvent<HTMLAnchorElement>) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                const { ctrlKey, metaKey, shiftKey } = event;
                const eventInit = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
                event.currentTarget.dispatchEvent(new MouseEvent("click", eventInit));
              }}
            >
              {tab.label}
            </Tab>
          </li>
        ))}
      </TabList>
    </TabGroup>
  );
}
