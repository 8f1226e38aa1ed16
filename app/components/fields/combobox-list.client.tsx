import { ComboboxOption, ComboboxOptions, Portal } from "@headlessui/react";
import type { ReactNode, RefObject } from "react";
import { menuItemClasses, menuPanelClasses } from "../menus/menu-classes";

export interface ComboboxListProps {
  /** Element around the text field, inside which the list is rendered. */
  readonly host: RefObject<HTMLElement>;
  readonly children: ReactNode;
}

/** Makes an element a popover that only scripts open and close, and opens it. Does nothing in browsers without popovers. */
function openAsPopover(element: HTMLElement | null): void {
  if (!element?.showPopover) return;
  element.popover = "manual";
  element.showPopover();
}

/**
 * The list of a combobox. It is a native popover, so that it covers a modal dialog, and is rendered beside its text field, because everything outside
 * a modal dialog is inert.
 */
export function ComboboxList({ host, children }: ComboboxListProps) {
  return (
    <Portal.Group target={host}>
      <ComboboxOptions
        ref={openAsPopover}
        modal={false}
        anchor={{ to: "bottom start", gap: 4, padding: 8 }}
        className={`m-0 max-h-72! w-(--input-width) border-0 ${menuPanelClasses}`}
      >
        {children}
      </ComboboxOptions>
    </Portal.Group>
  );
}

/** Classes of an option. */
export const comboboxOptionClasses = `group/option cursor-pointer data-focus:bg-ink/7 not-data-focus:hover:bg-transparent data-disabled:cursor-not-allowed data-disabled:text-faint ${menuItemClasses}`;

/** A line in a combobox's list that cannot be chosen, for example "nothing found". */
export function ComboboxNote({ children }: { readonly children: ReactNode }) {
  return (
    <ComboboxOption value={null} disabled className={`text-muted text-phrase ${menuItemClasses}`}>
      {children}
    </ComboboxOption>
  );
}
