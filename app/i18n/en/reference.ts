/** The page's own words around what the API's document says. */
export const reference = {
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
};
