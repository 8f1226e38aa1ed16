import type { Namespace } from "./messages";

/** All namespaces. */
export const NAMESPACES: readonly Namespace[] = [
  "account",
  "analytics",
  "api",
  "auth",
  "content",
  "events",
  "folders",
  "library",
  "mail",
  "shared",
  "shared-owners",
  "spaces",
  "store",
  "store-visitors",
  "transfer",
  "users",
  "visitors",
  "visitors-late",
  "webhooks",
];
