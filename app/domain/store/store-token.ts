/** The two kinds of Storefront API tokens, which are sent in different headers. */

/**
 * Whether a store's token is private, for servers only. Shopify's private Storefront tokens begin with "shpat_"; public ones are 32
 * hexadecimal digits.
 */
const isPrivateStoreToken = (token: string): boolean => /^shpat_/i.test(token);

/** Whether a text is another secret of a store: an app's secret, or a token of the Admin API, which no storefront accepts. */
export const isOtherStoreSecret = (token: string): boolean => /^shp(ca|pa|ss|ua)_/i.test(token);

/** Returns a store's token as an option of the Storefront API client: exactly one of the two (specification §5). */
export const storeTokens = (
  token: string,
): { readonly publicAccessToken: string } | { readonly privateAccessToken: string } =>
  isPrivateStoreToken(token) ? { privateAccessToken: token } : { publicAccessToken: token };
