/** The replacements of native elements by Headless UI. One file, so that each page lists only one (enhanced.ts). */

export { EnhancedTabs } from "./link-tabs.client";
export { EnhancedMenu } from "./menu.client";
export { EnhancedCombobox } from "./select-field.client";
export { EnhancedTagInput } from "./tag-input.client";
export { EnhancedUserMenu } from "./user-menu.client";
export { whenIdle } from "./when-idle.client";
