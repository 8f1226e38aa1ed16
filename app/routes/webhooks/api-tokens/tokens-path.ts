/** The page of access tokens, without a dialog. */
export const TOKENS_PATH = "/account/tokens";
