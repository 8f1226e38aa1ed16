/** What scripts put in the place of native elements, with Headless UI: one file, so that a page names one (enhanced.ts). */

export { EnhancedTabs } from "./link-tabs.client";
export { EnhancedMenu } from "./menu.client";
export { EnhancedCombobox } from "./select-field.client";
export { EnhancedTagInput } from "./tag-input.client";
export { EnhancedUserMenu } from "./user-menu.client";
export { whenIdle } from "./when-idle.client";
