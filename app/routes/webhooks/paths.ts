/** Path of the list of webhooks. */
export const WEBHOOKS_PATH = "/account/webhooks";
/** Path of a webhook's page. */
export const webhookPath = (id: string): string => `${WEBHOOKS_PATH}/${id}`;
