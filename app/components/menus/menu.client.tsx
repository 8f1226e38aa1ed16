import { Menu, MenuButton, MenuItem, MenuItems } from "@headlessui/react";
import type { ReactNode } from "react";
import { cx } from "../cx";
import { menuPanelClasses, menuTriggerClasses, summaryTextClasses } from "./menu-classes";
import { MenuItemContext } from "./menu-item-context";

export interface MenuProps {
  /** Content of the button. */
  readonly trigger: ReactNode;
  /** Accessible name of the button, if the trigger has no text. */
  readonly label?: string;
  /** Edge of the button with which the panel is aligned. */
  readonly align?: "start" | "end";
  readonly triggerClassName?: string;
  readonly children: ReactNode;
}

/**
 * The menu of Headless UI, which replaces the server's `<details>` menu. It handles arrows, Home, End, first letters, Esc and clicks outside, and keeps
 * the panel inside the window. The entries in `children` wrap themselves in the component of MenuItemContext, so that Headless UI registers them.
 */
export function EnhancedMenu({ trigger, label, align = "end", triggerClassName, children }: MenuProps) {
  return (
    <Menu>
      <MenuButton
        aria-label={label}
        title={label}
        className={cx(menuTriggerClasses, summaryTextClasses, triggerClassName)}
      >
        {trigger}
      </MenuButton>
      <MenuItems
        anchor={{ to: align === "end" ? "bottom end" : "bottom start", gap: 4, padding: 8 }}
        modal={false}
        className={cx("outline-none", menuPanelClasses)}
      >
        <MenuItemContext.Provider value={MenuItem}>{children}</MenuItemContext.Provider>
      </MenuItems>
    </Menu>
  );
}
