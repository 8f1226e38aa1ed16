/** Errors of the use cases, told to people. */
export const services = {
  notFound: "Not found",
  invalid: "Please check your input.",
  conflict: "Somebody else saved this in the meantime. Nothing of theirs was overwritten.",
  unauthenticated: "Please log in.",
  forbidden: "You are not allowed to do this.",
  sessionRequired: "An access token cannot do this. Please log in.",
  tokenNotAllowed:
    "No access token can set roles, change other people's email addresses or let administrators in. Please log in.",
  reauthenticationRequired: "To do this, please give your password or passkey again.",
  insufficientScope: "This access token does not have the scope “{{scope}}”.",
  rateLimited: "Too many attempts. Please wait a minute and try again.",
  guessDelayed:
    "Too many wrong passwords. Please try again in {{minutes}} minutes, or log in with a passkey or in a browser in which you have logged in before.",
  badCredentials: "The email address or password is incorrect. Please check both and try again.",
  tooManyLinks: "Too many messages have been asked for. Please try again in an hour.",
  wrongPassword: "The password is incorrect.",
  samePassword: "This is already your password. Please choose another one.",
  sameEmail: "This is already your email address.",
  accountBlocked: "This account is blocked. Please contact your administrator.",
  accountDisapproved: "This account was not approved. Please contact your administrator.",
  emailUnverified: "This email address is not verified yet. Please open the link in the message we sent you.",
  approvalPending: "This account is waiting for an administrator's approval.",
  secondFactorRequired: "Please enter a code of your authenticator app as well.",
  badOneTimeCode:
    "This code is not right, or was used already. Please enter the one that your app shows now.",
  oneTimeCodeBlocked: "Too many wrong codes. Please wait 15 minutes, or use a recovery code.",
  passkeyRequired:
    "This account needs a second factor and has no authenticator app. Please log in with your passkey.",
  secondStepExpired: "That took too long. Please log in once more.",
  secondFactorSetup:
    "Administrators need a second factor here. Please log in on the website and set one up first.",
  secondFactorExpired:
    "This took too long. Please scan the new QR code and enter the code that your app shows.",
  secondFactorExists: "An authenticator app is set up already. Please remove it first.",
  ownSecondFactor: "You change your own second factor on the page of your account.",
  spaceLicense_one:
    "Your licence allows {{count}} space, and you have it. Delete a space or ask for a larger licence.",
  spaceLicense_other:
    "Your licence allows {{count}} spaces, and you have them all. Delete a space or ask for a larger licence.",
  emailTaken: "This email address is already in use.",
  linkUnknown: "This link is not valid. Please open it again from the message, or ask for a new one.",
  linkUsed: "This link has been used already. Each link works once.",
  linkExpired: "This link no longer works: it is too old, or a newer message has replaced it.",
  webUnreachable:
    "{{provider}} could not be reached. Nothing was saved or lost; please try again in a moment.",
  mailNotSent: "The message could not be sent. Please try again in a few minutes.",
  notInvited: "Invitations go only to users whose status is “Email unverified”. Nothing was sent.",
} as const;
