/** The code of a shop that an event's page fetches after it can be used (visitors/page/use-shop). */
export { openOtherTabs } from "../cart/other-tabs";
export { followPrices } from "./priced-pins";
