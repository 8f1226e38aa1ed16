export const auth = {
  title: "Log in",
  lead: "Publish events inside 3D spaces.",
  email: "Email address",
  password: "Password",
  submit: "Log in",
  submitting: "Logging in…",
  toContinue: "Please log in to continue.",
  restoring: "Restoring your session…",
  loggedOut: "You have logged out.",
};
