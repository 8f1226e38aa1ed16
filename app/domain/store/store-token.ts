/** The two kinds of Storefront API tokens, which are sent in different headers. */

/**
 * Whether a store's token is a private one, for servers alone. Shopify's private Storefront tokens begin with "shpat_"; public ones are
 * 32 hexadecimal digits.
 */
const isPrivateStoreToken = (token: string): boolean => /^shpat_/i.test(token);

/** Whether a text is another secret of a store: an app's secret, or a token of the Admin API that no storefront takes. */
export const isOtherStoreSecret = (token: string): boolean => /^shp(ca|pa|ss|ua)_/i.test(token);

/** A store's token as its client takes it: exactly one of the two (§5). */
export const storeTokens = (
  token: string,
): { readonly publicAccessToken: string } | { readonly privateAccessToken: string } =>
  isPrivateStoreToken(token) ? { privateAccessToken: token } : { publicAccessToken: token };
