/** The id of the form of one button on a user's page, by what it does. */
export const actionFormId = (change: string) => `act-${change}`;
