/** The letters that people are sent. No page loads these words: see functions/mail. */
export const mail = {
  sender: "Hiroba",
  greeting: "Hello {{name}},",
  copyHint: "If the button does not work, open this address in your browser:",
  until: "The link works once, until {{until}}.",
  stop: "To stop these messages:",
  footer: "This message was sent automatically by Hiroba. Replies are not read.",
  reset: {
    subject: "Set a new password for Hiroba",
    text: "A new password was asked for your account. Open the link to choose one.",
    action: "Choose a new password",
    after: "If it was not you who asked, do nothing: your password stays as it is.",
  },
  invitation: {
    subject: "Your invitation to Hiroba",
    text: "An account for Hiroba was made for you. Open the link to confirm your email address ({{email}}) and to choose a password.",
    action: "Accept the invitation",
    after: "If you did not expect this invitation, do nothing.",
  },
  email: {
    subject: "Confirm your new email address for Hiroba",
    text: "Your account is to use the address {{email}} from now on. Open the link to confirm it.",
    action: "Confirm the address",
    after: "If it was not you who asked, do nothing: the account keeps its address.",
  },
  passwordChanged: {
    subject: "Your Hiroba password was changed",
    text: "The password of your account has just been changed. Other devices have been logged out. Passkeys stay and can still be used to log in.",
    action: "See your passkeys",
    after:
      "If it was not you who changed it, ask for a new password at once, remove passkeys that are not yours, and tell your administrator.",
  },
  emailChanged: {
    subject: "Your Hiroba email address was changed",
    text: "Your account now uses the address {{email}}. Messages are no longer sent to this one.",
    action: "Log in",
    after: "If it was not you who changed it, tell your administrator at once.",
  },
  passkeyAdded: {
    subject: "A passkey was added to your Hiroba account",
    text: "A passkey was added to your account. Whoever holds it can log in without your password.",
    action: "See your passkeys",
    after: "If it was not you who added it, remove it at once and change your password.",
  },
  tokenCreated: {
    subject: "An access token was made for your Hiroba account",
    text: "An access token with the name “{{name}}” was made. Programs that have it act in your name, as far as its permissions go.",
    action: "See your tokens",
    after: "If it was not you who made it, revoke it at once and change your password.",
  },
  webhookStopped: {
    subject: "A Hiroba webhook was stopped",
    text: "Messages to {{name}} no longer arrive, so the webhook was stopped. Nothing more is sent to it until you start it again.",
    action: "See what was answered",
    after: "What could not be delivered is kept for 30 days and can be sent again from there.",
  },
  eventOpened: {
    subject: "“{{name}}” is now open to visitors",
    text: "As its dates say, the event “{{name}}” became Published on {{at}}. Its public link is open.",
    action: "See the event",
    after:
      "You get this message because your account asks to be told when its events open and end by the clock.",
  },
  eventEnded: {
    subject: "“{{name}}” has ended",
    text: "As its dates say, the event “{{name}}” became Archived on {{at}}. Its links are closed, and its report stays.",
    action: "See the event",
    after:
      "You get this message because your account asks to be told when its events open and end by the clock.",
  },
  deletionRequested: {
    subject: "Somebody asks for their Hiroba account to be deleted",
    text: "The user with the address {{email}} asks for the account and all of its data to be deleted. Nothing has been deleted yet.",
    action: "Open the user list",
    after: "You receive this message as an administrator.",
  },
};
