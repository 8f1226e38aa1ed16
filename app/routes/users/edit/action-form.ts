/** The id of the form of one button on a user's page, by what it does. */
export const actFormId = (change: string) => `act-${change}`;
