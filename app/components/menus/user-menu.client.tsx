import { CloseButton, Popover, PopoverButton, PopoverPanel } from "@headlessui/react";
import { Fragment, type ReactNode, useState } from "react";
import { cx } from "../cx";
import { MenuItemContext, summaryTextClasses } from "./menu";
import { userMenuPanelClasses, userMenuTriggerClasses } from "./user-menu";

/** Closes the panel when a link inside is followed. */
const ClosingItem = ({ children }: { readonly children: ReactNode }) => (
  <CloseButton as={Fragment}>{children as never}</CloseButton>
);

export interface EnhancedUserMenuProps {
  readonly trigger: ReactNode;
  readonly panel: ReactNode;
}

/** The account menu based on Headless UI's popover. The style sheet opens it when it is hovered (specification §2). Esc closes it in both cases. */
export function EnhancedUserMenu({ trigger, panel }: EnhancedUserMenuProps) {
  const [isDismissed, setDismissed] = useState(false);
  return (
    <Popover
      onKeyDownCapture={(event) => event.key === "Escape" && setDismissed(true)}
      onPointerLeave={() => setDismissed(false)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setDismissed(false)}
    >
      {({ open }) => (
        <>
          <PopoverButton
            className={cx(userMenuTriggerClasses, summaryTextClasses)}
            onClick={() => setDismissed(false)}
          >
            {trigger}
          </PopoverButton>
          <PopoverPanel
            static
            className={cx(
              userMenuPanelClasses,
              open ? "block" : "hidden",
              !open && !isDismissed && "group-hover/menu:block",
            )}
          >
            <MenuItemContext.Provider value={ClosingItem}>{panel}</MenuItemContext.Provider>
          </PopoverPanel>
        </>
      )}
    </Popover>
  );
}
