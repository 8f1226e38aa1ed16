import { CloseButton, Popover, PopoverButton, PopoverPanel } from "@headlessui/react";
import { Fragment, type ReactNode, useState } from "react";
import { cx } from "../cx";
import { summaryTextClasses } from "./menu-classes";
import { MenuItemContext } from "./menu-item-context";

/** Closes the panel when the link or button inside is pressed. */
const ClosingItem = ({ children }: { readonly children: ReactNode }) => (
  <CloseButton as={Fragment}>{children as never}</CloseButton>
);

export interface EnhancedUserMenuProps {
  readonly trigger: ReactNode;
  readonly triggerClassName: string;
  readonly panel: ReactNode;
  readonly panelClassName: string;
}

/** The account menu based on Headless UI's popover. It opens when it is clicked or hovered (specification §2). Esc closes it in both cases. */
export function EnhancedUserMenu(props: EnhancedUserMenuProps) {
  const { trigger, triggerClassName, panel, panelClassName } = props;
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
            className={cx(triggerClassName, summaryTextClasses)}
            onClick={() => setDismissed(false)}
          >
            {trigger}
          </PopoverButton>
          <PopoverPanel
            static
            className={cx(
              panelClassName,
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
