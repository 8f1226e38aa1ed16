/** The list of webhooks. */
export const WEBHOOKS_PATH = "/account/webhooks";
/** The page of one. */
export const webhookPath = (id: string): string => `${WEBHOOKS_PATH}/${id}`;
