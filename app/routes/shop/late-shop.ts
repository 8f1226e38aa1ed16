/** The code of a shop that an event's page fetches after it can be used (visit/use-shop). */
export { openOtherTabs } from "./other-tabs";
export { followPrices } from "./priced-pins";
