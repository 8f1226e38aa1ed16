/** Host of the demo store: a name that no other machine can have (RFC 2606). */
export const DEMO_STORE_HOST = "store.hiroba.example";
/** The same store with several hundred products. */
export const MANY_STORE_HOST = `many.${DEMO_STORE_HOST}`;
/** The store's public access token. */
export const DEMO_STORE_TOKEN = "demo0storefront0token0of0the0gallery";
/** The store's private access token. */
export const DEMO_STORE_PRIVATE_TOKEN = "shpat_demo0private0token0of0the0gallery";
