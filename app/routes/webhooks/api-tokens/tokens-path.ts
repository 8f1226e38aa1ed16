/** Path of the tokens page without a dialog. */
export const TOKENS_PATH = "/account/tokens";
