/** Id of the form that has the button for a change on a user's page. */
export const actionFormId = (change: string) => `act-${change}`;
