import { Tab, TabGroup, TabList } from "@headlessui/react";
import { Anchor } from "../anchor";
import { type LinkTabsProps, tabLink, tabList } from "./link-tabs";

/** Tabs of Headless UI. Only one of them is in the tab order; arrows, Home and End move the focus; Enter and Space follow the tab's link. */
export function EnhancedTabs({ label, tabs, current }: LinkTabsProps) {
  return (
    <TabGroup selectedIndex={current} manual>
      <TabList as="ul" aria-label={label} className={tabList}>
        {tabs.map((tab, index) => (
          <li key={tab.href} role="presentation">
            <Tab
              as={Anchor}
              {...tabLink(tab, index === current)}
              onKeyDown={(event: React.KeyboardEvent<HTMLAnchorElement>) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                const { ctrlKey, metaKey, shiftKey } = event;
                const init = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
                event.currentTarget.dispatchEvent(new MouseEvent("click", init));
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
