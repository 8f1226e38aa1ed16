/** Texts of e-mails. No page loads them: see functions/mail. */
export const mail = {
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
  accountAttacked: {
    subject: "Wrong passwords are being tried on your Hiroba account",
    text: "Somebody is trying many wrong passwords on your account ({{at}}). None of them was right. We slow these attempts down. You can still log in with a passkey, or in a browser in which you have logged in before.",
    action: "See your security settings",
    after:
      "If your password is long and you use it nowhere else, you need not do anything. Otherwise choose a new one, or add a passkey. We send this message at most once a day.",
  },
  newBrowser: {
    subject: "A new log-in to your Hiroba account",
    text: "Somebody has just logged in to your account from a browser or device that we did not know: {{name}}, {{at}}.",
    action: "See your sessions",
    after:
      "If it was you, you need not do anything. If it was not, end that session at once and change your password.",
  },
  passkeyRemoved: {
    subject: "A passkey was removed from your Hiroba account",
    text: "A passkey was removed from your account. It can no longer be used to log in.",
    action: "See your passkeys",
    after: "If it was not you who removed it, change your password at once and tell your administrator.",
  },
  secondFactorAdded: {
    subject: "An authenticator app was set up for your Hiroba account",
    text: "From now on a log-in with your password asks for a code of your authenticator app as well.",
    action: "See the security settings",
    after: "If it was not you who set it up, change your password at once and tell your administrator.",
  },
  secondFactorRemoved: {
    subject: "The authenticator app of your Hiroba account was removed",
    text: "The authenticator app was removed from your account. A log-in with your password asks for no code any more.",
    action: "See the security settings",
    after: "If it was not you who removed it, change your password at once and tell your administrator.",
  },
  secondFactorReset: {
    subject: "The second factor of your Hiroba account was reset",
    text: "An administrator has removed the authenticator app, the recovery codes and the passkeys of your account. All devices have been logged out. Log in with your password and set up a second factor anew.",
    action: "See the security settings",
    after: "If you did not ask for this, change your password at once and tell your administrator.",
  },
  recoveryCodeUsed: {
    subject: "A recovery code was used for your Hiroba account",
    text: "Somebody has logged in to your account with your password and a recovery code. Recovery codes that are left: {{name}}.",
    action: "See the security settings",
    after: "If it was not you, change your password at once and make new recovery codes.",
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
  uploadRejected: {
    subject: "A file in your Hiroba library was rejected",
    text: "The check of uploaded files has rejected “{{name}}”. Nobody can open it, and visitors do not see it.",
    action: "See the file",
    after:
      "Please replace it with another file, or delete it. The page of the file tells the reason where there is one.",
  },
  privilegesChanged: {
    subject: "Administrators or addresses of Hiroba were changed",
    text: "{{name}} has just changed who may administer Hiroba, or the address of another person:",
    action: "See the audit log",
    after:
      "All administrators receive this message. If you did not expect it, ask {{name}} in another way, and block the account if it was somebody else.",
    line: {
      madeAdministrator: "{{email}} was given the role of administrator.",
      madeUser: "{{email}} was given the role of user and is no longer an administrator.",
      administratorInvited: "{{email}} was invited as an administrator.",
      administratorBack: "{{email}}, an administrator, was given access again.",
      addressChanged: "The address {{from}} was changed to {{to}}.",
      more: "{{count}} more",
    },
  },
};
