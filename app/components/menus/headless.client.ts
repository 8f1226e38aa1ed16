/** The replacements of native elements by Headless UI. One file, so that each page lists only one (enhanced.ts). */

export { EnhancedCalendar } from "../fields/date-time-field.client";
export { EnhancedSearchField } from "../fields/search-field.client";
export { EnhancedCombobox } from "../fields/select-field.client";
export { EnhancedTagInput } from "../fields/tag-input.client";
export { whenIdle } from "../when-idle.client";
export { EnhancedTabs } from "./link-tabs.client";
export { EnhancedMenu } from "./menu.client";
export { EnhancedUserMenu } from "./user-menu.client";
