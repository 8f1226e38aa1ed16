/** Names of the templates of events, in a file without their texts, which forms do not need. */

/** The names, in the order in which they are offered. */
export const EVENT_TEMPLATE_NAMES = ["exhibition", "showroom", "museum", "shop"] as const;

/** The name of a template. */
export type EventTemplateName = (typeof EVENT_TEMPLATE_NAMES)[number];
