/** Templates of events: what a new event can contain from the start, in every language (decision 090). */
import { EXHIBITION } from "./exhibition";
import { MUSEUM } from "./museum";
import { SHOP } from "./shop";
import { SHOWROOM } from "./showroom";
import type { EventTemplateName } from "./template-names";
import type { EventTemplate } from "./template-types";

/** The templates by their names. */
export const EVENT_TEMPLATES: Readonly<Record<EventTemplateName, EventTemplate>> = {
  exhibition: EXHIBITION,
  showroom: SHOWROOM,
  museum: MUSEUM,
  shop: SHOP,
};
