/** What a call of the API is told that went wrong before any use case was asked, by its code. */
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
};
