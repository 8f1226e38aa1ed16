/** Replacements of native elements, based on Headless UI, and `whenIdle`, which waits for the moment to replace one. They are in one module, which use-replacements.ts imports. */

export { EnhancedCalendar } from "../fields/calendar.client";
export { EnhancedCombobox } from "../fields/combobox.client";
export { EnhancedKeywordInput } from "../fields/keyword-input.client";
export { EnhancedSearchField } from "../fields/search-field.client";
export { whenIdle } from "../when-idle.client";
export { EnhancedLinkTabs } from "./link-tabs.client";
export { EnhancedMenu } from "./menu.client";
export { EnhancedUserMenu } from "./user-menu.client";
