/** Classes of a panel over the page, such as a menu, a list of options or a calendar. */
export const menuPanelClasses =
  "z-40 min-w-56 rounded-lg bg-raised p-1 text-sm text-ink shadow-raised motion-safe:animate-arrive";

/** Gives Japanese text in a `<button>` the same width as in the `<summary>` that the button replaces. */
export const summaryTextClasses = "[font-feature-settings:normal] [word-break:normal]";

/** Classes of the button that opens a menu. */
export const menuTriggerClasses =
  "inline-flex min-h-10 min-w-10 items-center justify-center gap-2 rounded text-sm select-none hover:bg-ink/7";

/** Classes of an entry in a menu, in the account menu or in a list of options. */
export const menuItemClasses =
  "flex min-h-10 w-full items-center gap-3 rounded px-3 py-1 text-left leading-title no-underline hover:bg-ink/7";
