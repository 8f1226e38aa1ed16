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
  cut_off: "The body broke off before its end.",
  unsupported_media_type:
    "The Content-Type of the body is none that this call takes. Those that it takes are in Accept.",
  too_large: "The body is larger than 1 MB.",
  cross_site:
    "With the session's cookie only pages of this site may change something. Send the ticket as Authorization: Bearer.",
  unknown_path: "There is nothing at this address.",
  method_not_allowed: "This address does not take this method. Those that it takes are in Allow.",
  name_twice: "This name stands twice.",
  name_refused: "This name may not be used.",
  key_reused: "This Idempotency-Key was used for another call within the last 24 hours.",
  key_busy: "A call with this Idempotency-Key is under way. Please ask again in a moment.",
  key_spent: "The call of this Idempotency-Key is done. Its answer was too long to be kept.",
  idempotency_key_invalid: "An Idempotency-Key has 1 to 255 visible ASCII characters.",
  if_match_refused:
    "If-Match names one ETag, or *, and only calls that say so look at it. Without it this call changes whatever is saved.",
  unexpected: "An issue has occurred. Please try again later.",
  errors: {
    limits: {
      events: `There is no room for more events. An account can have ${EVENTS_PER_OWNER_MAX} and one for each space of its licence, those in the trash included.`,
      spaceEvents: `A space can have at most ${EVENTS_PER_SPACE_MAX} events. Delete one of them, or use another space.`,
      media: `A library can hold at most ${LIBRARY_ITEMS_MAX.toLocaleString("en")} files and web media, those in the trash included.`,
      imports: `At most ${IMPORTS_OPEN_MAX} imports can be open at once. Finish or cancel one first; an import that is not finished ends after ${UPLOAD_KEEP_HOURS} hours.`,
      trash: `The library and its trash together can hold at most ${TRASH_FACTOR} times the storage limit. What is deleted leaves the trash after ${TRASH_DAYS} days.`,
      copyRate: "At most {{count}} copies can be started in a minute. Please wait a minute and try again.",
      importRate: "At most {{count}} imports can be started in a minute. Please wait a minute and try again.",
    },
  },
  reference: {
    title: "API reference",
    lead: "What each call takes and answers, as programs read it in",
    other_language: "日本語",
    contents: "Parts of the API",
    try: "Try calls out",
    try_lead:
      "With the session of this browser, or with a ticket or access token that you type in. Calls change what is really there.",
    try_failed: "It could not be loaded. Please try again.",
    needs_session: "Needs a session.",
    anyone: "Anyone may call.",
    parameters: "Parameters",
    body: "Body",
    answers: "Answers",
    schemas: "Shapes",
    required: "required",
    in_path: "path",
    in_query: "query",
    in_header: "header",
  },
  services: {
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
    wrongPassword: "The password is incorrect.",
    sameEmail: "This is already your email address.",
    accountBlocked: "This account is blocked. Please contact your administrator.",
    accountDisapproved: "This account was not approved. Please contact your administrator.",
    emailUnverified:
      "This email address is not verified yet. Please open the link in the message we sent you.",
    approvalPending: "This account is waiting for an administrator's approval.",
    secondFactorRequired: "Please enter a code of your authenticator app as well.",
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
    notInvited: "Invitations go only to users whose status is “Email unverified”. Nothing was sent.",
  },
};
