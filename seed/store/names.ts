/** Where the demo store answers: a name that no other machine can have (RFC 2606). */
export const DEMO_STORE_HOST = "store.hiroba.example";
/** The same store with several hundred products. */
export const MANY_STORE_HOST = `many.${DEMO_STORE_HOST}`;
/** What the store is asked with. */
export const DEMO_STORE_TOKEN = "demo0storefront0token0of0the0gallery";
