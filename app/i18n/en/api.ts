import {
  EVENTS_PER_OWNER_MAX,
  EVENTS_PER_SPACE_MAX,
  IMPORTS_OPEN_MAX,
  LIBRARY_ITEMS_MAX,
  TRASH_DAYS,
  TRASH_FACTOR,
  UPLOAD_KEEP_HOURS,
} from "~/domain/shared/limits";

/** Messages that only the server writes: responses of the API and of use cases, and the page of the API's reference. */
export const api = {
  invalid_json: "The body is not a JSON object in UTF-8.",
  cut_off: "The body is incomplete.",
  unsupported_media_type:
    "This call does not accept this Content-Type. See Accept for the ones it accepts.",
  too_large: "The body is larger than 1 MB.",
  cross_site:
    "With the session cookie, only pages of this site can make changes. Send the ticket as Authorization: Bearer.",
  unknown_path: "There is nothing at this address.",
  method_not_allowed: "This address does not support this method. See Allow for the ones it supports.",
  name_twice: "This name appears twice.",
  name_refused: "This name is not allowed.",
  key_reused: "This Idempotency-Key was used for another call within the last 24 hours.",
  key_busy: "A call with this Idempotency-Key is in progress. Please try again in a moment.",
  key_spent: "The call with this Idempotency-Key is done. Its response was too long to store.",
  idempotency_key_invalid: "An Idempotency-Key must have 1 to 255 visible ASCII characters.",
  if_match_refused:
    "If-Match takes one ETag or *, and only on calls that support it. Without it, this call changes the current version.",
  unexpected: "An issue has occurred. Please try again later.",
  errors: {
    limits: {
      events: `You have reached the limit of events. An account can have ${EVENTS_PER_OWNER_MAX}, plus one for each space of its license, including the trash.`,
      spaceEvents: `A space can have at most ${EVENTS_PER_SPACE_MAX} events. Delete one of them, or use another space.`,
      media: `A library can hold at most ${LIBRARY_ITEMS_MAX.toLocaleString("en")} files and web media, those in the trash included.`,
      imports: `At most ${IMPORTS_OPEN_MAX} imports can be in progress at once. Finish or cancel one first. Unfinished imports expire after ${UPLOAD_KEEP_HOURS} hours.`,
      trash: `The library and its trash together can hold at most ${TRASH_FACTOR} times the storage limit. What is deleted leaves the trash after ${TRASH_DAYS} days.`,
      copyRate: "You can start at most {{count}} copies a minute. Please wait a minute and try again.",
      importRate: "You can start at most {{count}} imports a minute. Please wait a minute and try again.",
    },
  },
  reference: {
    title: "API reference",
    lead: "What each call accepts and returns. Machine-readable version:",
    other_language: "日本語",
    contents: "Contents",
    try: "Try it",
    try_lead:
      "Uses this browser's session, or a ticket or access token that you enter. Calls change real data.",
    try_failed: "Could not load. Please try again.",
    needs_session: "Requires a session.",
    anyone: "No authentication required.",
    parameters: "Parameters",
    body: "Body",
    answers: "Responses",
    schemas: "Schemas",
    required: "required",
    in_path: "path",
    in_query: "query",
    in_header: "header",
  },
  services: {
    notFound: "Not found",
    invalid: "Please check your input.",
    conflict: "Someone else saved this first. Their changes were not overwritten.",
    unauthenticated: "Please log in.",
    forbidden: "You do not have permission to do this.",
    sessionRequired: "An access token cannot do this. Please log in.",
    tokenNotAllowed:
      "Access tokens cannot set roles, change other people's email addresses or give administrators access. Please log in.",
    reauthenticationRequired: "Enter your password or use your passkey to do this.",
    insufficientScope: "This access token does not have the scope “{{scope}}”.",
    rateLimited: "Too many attempts. Please wait a minute and try again.",
    guessDelayed:
      "Too many wrong passwords. Please try again in {{minutes}} minutes, use a passkey, or use a browser in which you have logged in before.",
    badCredentials: "The email address or password is incorrect. Please check both and try again.",
    wrongPassword: "The password is incorrect.",
    sameEmail: "This is already your email address.",
    accountBlocked: "This account is blocked. Please contact your administrator.",
    accountDisapproved: "This account was not approved. Please contact your administrator.",
    emailUnverified:
      "Verify your email address first. Open the link in the email we sent you.",
    approvalPending: "An administrator still has to approve this account.",
    secondFactorRequired: "Enter a code from your authenticator app as well.",
    oneTimeCodeBlocked: "Too many wrong codes. Please wait 15 minutes, or use a recovery code.",
    passkeyRequired:
      "This account requires two-factor authentication but has no authenticator app. Please log in with your passkey.",
    secondStepExpired: "That took too long. Please log in again.",
    secondFactorSetup:
      "Administrators must use two-factor authentication. Log in on the website and set it up first.",
    secondFactorExpired:
      "That took too long. Scan the new QR code and enter the code from your app.",
    secondFactorExists: "An authenticator app is already set up. Remove it first.",
    ownSecondFactor: "Change your own two-factor authentication in your account settings.",
    spaceLicense_one:
      "You are using the {{count}} space of your license. Delete a space or ask for a larger license.",
    spaceLicense_other:
      "You are using all {{count}} spaces of your license. Delete a space or ask for a larger license.",
    emailTaken: "This email address is already in use.",
    linkUnknown: "This link is not valid. Open it again from the email, or request a new one.",
    linkUsed: "This link has already been used. Each link works once.",
    linkExpired: "This link no longer works. It has expired, or we sent you a newer one.",
    webUnreachable:
      "{{provider}} could not be reached. Nothing was changed. Please try again in a moment.",
    notInvited: "Only users with the status “Email unverified” can be invited. No email was sent.",
  },
};
