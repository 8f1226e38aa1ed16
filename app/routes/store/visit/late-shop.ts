/** Code of the shop that an event's page loads after it is usable (visitors/page/use-shop). */
export { openOtherTabs } from "../cart/other-tabs";
export { pricePins } from "./priced-pins";
