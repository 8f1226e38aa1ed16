/** Texts of e-mails. No page loads them: see functions/mail. */
export const mail = {
  greeting: "Hello {{name}},",
  copyHint: "If the button does not work, open this address in your browser:",
  until: "The link works once, until {{until}}.",
  stop: "To stop these emails:",
  footer: "This is an automatic email from Hiroba. Please do not reply.",
  reset: {
    subject: "Reset your Hiroba password",
    text: "We received a request to reset your password. Open the link to set a new one.",
    action: "Set new password",
    after: "If you did not request this, ignore this email. Your password stays the same.",
  },
  invitation: {
    subject: "Your invitation to Hiroba",
    text: "You have been invited to Hiroba. Open the link to confirm your email address ({{email}}) and set a password.",
    action: "Accept invitation",
    after: "If you did not expect this invitation, ignore this email.",
  },
  email: {
    subject: "Confirm your new email address",
    text: "You asked to change the email address of your account to {{email}}. Open the link to confirm it.",
    action: "Confirm address",
    after: "If you did not request this, ignore this email. Your address stays the same.",
  },
  passwordChanged: {
    subject: "Your Hiroba password was changed",
    text: "Your password was changed and your other devices were logged out. Passkeys keep working.",
    action: "Manage passkeys",
    after:
      "If this was not you, reset your password right away, remove passkeys you do not recognize and tell your administrator.",
  },
  emailChanged: {
    subject: "Your Hiroba email address was changed",
    text: "The email address of your account is now {{email}}. We no longer send emails to this address.",
    action: "Log in",
    after: "If this was not you, tell your administrator right away.",
  },
  passkeyAdded: {
    subject: "A passkey was added to your Hiroba account",
    text: "A passkey was added to your account. It can be used to log in without your password.",
    action: "Manage passkeys",
    after: "If this was not you, remove it right away and change your password.",
  },
  accountAttacked: {
    subject: "Someone is trying to log in to your Hiroba account",
    text: "Someone is trying to guess the password of your account ({{at}}). No attempt has succeeded, and we are slowing them down. You can still log in with a passkey, or in a browser you have logged in from before.",
    action: "Open security settings",
    after:
      "If your password is long and you do not use it anywhere else, you do not need to do anything. Otherwise change it, or add a passkey. We send this email at most once a day.",
  },
  newBrowser: {
    subject: "New login to your Hiroba account",
    text: "Your account was used to log in from a new browser or device: {{name}}, {{at}}.",
    action: "Review devices",
    after:
      "If this was you, you do not need to do anything. If not, log out that device right away and change your password.",
  },
  passkeyRemoved: {
    subject: "A passkey was removed from your Hiroba account",
    text: "A passkey was removed from your account. It can no longer be used to log in.",
    action: "Manage passkeys",
    after: "If this was not you, change your password right away and tell your administrator.",
  },
  secondFactorAdded: {
    subject: "An authenticator app was set up for your Hiroba account",
    text: "When you log in with your password, you now also enter a code from your authenticator app.",
    action: "Open security settings",
    after: "If this was not you, change your password right away and tell your administrator.",
  },
  secondFactorRemoved: {
    subject: "The authenticator app was removed from your Hiroba account",
    text: "The authenticator app was removed from your account. You no longer need a code to log in with your password.",
    action: "Open security settings",
    after: "If this was not you, change your password right away and tell your administrator.",
  },
  secondFactorReset: {
    subject: "Two-factor authentication of your Hiroba account was reset",
    text: "An administrator removed the authenticator app, recovery codes and passkeys from your account. All devices were logged out. Log in with your password and set up two-factor authentication again.",
    action: "Open security settings",
    after: "If you did not ask for this, change your password right away and tell your administrator.",
  },
  recoveryCodeUsed: {
    subject: "A recovery code was used to log in to your Hiroba account",
    text: "Your password and a recovery code were used to log in to your account. Recovery codes left: {{name}}.",
    action: "Open security settings",
    after: "If this was not you, change your password right away and create new recovery codes.",
  },
  tokenCreated: {
    subject: "An access token was created for your Hiroba account",
    text: "The access token “{{name}}” was created. Programs with this token can act for you within its permissions.",
    action: "Manage tokens",
    after: "If this was not you, revoke it right away and change your password.",
  },
  webhookStopped: {
    subject: "A Hiroba webhook was stopped",
    text: "Messages to {{name}} could not be delivered, so the webhook was stopped. Nothing is sent until you resume it.",
    action: "Open webhook",
    after: "Undelivered messages are kept for 30 days. You can send them again from the webhook’s page.",
  },
  eventOpened: {
    subject: "“{{name}}” is now published",
    text: "The event “{{name}}” was published at its start, {{at}}. Its public link is open.",
    action: "Open event",
    after: "You get this email because you chose to be notified when events open and end.",
  },
  eventEnded: {
    subject: "“{{name}}” has ended",
    text: "The event “{{name}}” was archived at its end, {{at}}. Its links are closed. You can still see its report.",
    action: "Open event",
    after: "You get this email because you chose to be notified when events open and end.",
  },
  deletionRequested: {
    subject: "A user requested deletion of their Hiroba account",
    text: "{{email}} requested deletion of their account and all its data. Nothing has been deleted yet.",
    action: "Open user list",
    after: "You get this email because you are an administrator.",
  },
  uploadRejected: {
    subject: "A file in your Hiroba library failed the check",
    text: "“{{name}}” failed the check of uploaded files. No one can open it, and visitors do not see it.",
    action: "Open file",
    after:
      "Replace it with another file, or delete it. If the reason is known, it is shown on the file’s page.",
  },
  privilegesChanged: {
    subject: "Administrators or email addresses were changed in Hiroba",
    text: "{{name}} made these changes to administrators or to other people’s email addresses:",
    action: "Open audit log",
    after:
      "All administrators get this email. If you did not expect it, check with {{name}} by other means than email. If {{name}} did not do this, block their account.",
    line: {
      madeAdministrator: "{{email}} is now an administrator.",
      madeUser: "{{email}} is now a user and no longer an administrator.",
      administratorInvited: "{{email}} was invited as an administrator.",
      administratorBack: "The administrator {{email}} can log in again.",
      addressChanged: "The address {{from}} was changed to {{to}}.",
      more: "{{count}} more",
    },
  },
};
