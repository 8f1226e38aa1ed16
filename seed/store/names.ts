/** Where the demo store answers: a name that no other machine can have (RFC 2606). */
export const DEMO_STORE_HOST = "store.hiroba.example";
/** The same store with several hundred products. */
export const MANY_STORE_HOST = `many.${DEMO_STORE_HOST}`;
/** The public token with which the store is asked. */
export const DEMO_STORE_TOKEN = "demo0storefront0token0of0the0gallery";
/** The private token that the store takes as well. */
export const DEMO_STORE_PRIVATE_TOKEN = "shpat_demo0private0token0of0the0gallery";
