/** What scripts put in the place of native elements, with Headless UI: one file, so that a page names one (enhanced.ts). */
export { EnhancedCombobox } from "./combobox-field.client";
export { EnhancedTabs } from "./link-tabs.client";
export { EnhancedMenu } from "./menu.client";
export { EnhancedTagInput } from "./tag-input.client";
export { EnhancedUserMenu } from "./user-menu.client";
