export const auth = {
  title: "Log in",
  lead: "Publish events inside 3D spaces.",
  email: "Email address",
  password: "Password",
  submit: "Log in",
  submitting: "Logging in…",
  restoring: "Restoring your session…",
  loggedOut: "You have logged out.",
};
