export const shell = {
  home: "Go to the start page",
  titleWithPage: "{{page}} – Hiroba",
  page: {
    notFoundTitle: "This page does not exist",
    notFoundText:
      "The address may be mistyped, or what was here has been removed, or you may not see it with this account.",
    forbiddenTitle: "You may not do this",
    forbiddenText: "Your account does not have the permission. Nothing was changed.",
    rateLimitedTitle: "Too many attempts",
    rateLimitedText: "Please wait a minute and try again. Nothing was changed.",
    errorTitle: "Something went wrong",
    errorText: "Nothing was lost that had been saved. Please try again in a moment.",
    errorReference: "If it happens again, tell us this number: {{id}}",
    status: "The server answered: {{status}}",
    tryAgain: "Try again",
    badRequestTitle: "The request was not understood",
    badRequestText: "Please go back, check what you entered and try again. Nothing was changed.",
  },
};
