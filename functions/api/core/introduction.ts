/** The introduction of the reference: rules for all calls, and the parts of the API. */
import type { Tag } from "./call";

/** How to call. Markdown. */
export const INTRODUCTION = `Programs call the same use cases as the pages. Paths answer with and without the trailing slash and with and without \`.json\`; bodies are JSON objects of at most 1 MB.

**Who calls.** A session's ticket from \`POST /api/cas/tickets\`, as \`Authorization: Bearer …\` or as the cookie \`__Host-session-ticket\` (\`session-ticket\` on a developer's machine). With the cookie only pages of this host change something. Programs have access tokens (\`hir_…\`), made on \`/account/tokens\`, as \`Authorization: Bearer …\` alone: they do what their scopes say (each call names its own; without it 403 \`insufficient_scope\`), and nothing that is done in person (403 \`session_required\`).

**What went wrong** is a problem document (RFC 9457) with a stable \`code\`, in English, or in Japanese with \`?lang=ja\`, \`Accept-Language: ja\` or the cookie that remembers the language. What one may not see answers 404, as what is not there.

**Versions.** Records carry a \`version\`, and answers of one record an \`ETag\`. A change that names either (\`version\` in the body, or \`If-Match\`) overwrites nothing that was saved since: 409 or 412 \`stale_version\`, with what is saved. A change changes only what it names; values that are saved already answer 200 and write nothing.

**Calls that may come twice.** A creation with an \`Idempotency-Key\` is done once within 24 hours and answers the same each time; something else under that key is 422 \`idempotency_key_reused\`.

**How often.** 600 calls a minute from each session, and from each place without one; then 429 \`rate_limited\` with \`Retry-After\`.

**Lists** answer 20 items unless \`limit\` asks for up to 100; short ones come whole without it, and all events stream to callers who name no \`limit\`, \`page\` or \`cursor\`. All go on from the \`cursor\` of the \`Link\` header; some have pages by number as well. \`X-Total-Count\` says how many there are, where that is counted. A cursor that is none answers 400; of one whose item has gone for good the list is empty.

**Units.** Instants are ISO 8601 in UTC; sizes are bytes, lengths metres with y up, angles radians.`;

/** The parts of the API, in the order of the reference. */
export const TAGS: Readonly<Record<Tag, string>> = {
  account: "Sessions, passwords, and one's own account.",
  spaces: "3D spaces in their folders. Every space has at least one event.",
  folders:
    "Two trees of folders an account, of spaces and of media. Folders lie in one another at most 32 deep, and an account has at most 5,000 of each type.",
  media: "Files and web media of libraries.",
  uploads: "Files go up in slices, and can go on where they broke off.",
  packages:
    "Events and spaces as files, which come back here or elsewhere. A file is a ZIP whose `hiroba.json` (`format` hiroba-package, `version` 1) names things as this document does.",
  batches: "Several things at once; each answers for itself.",
  events: "Dated layers over spaces.",
  content:
    "Tags, media and the scene of an event. Positions are metres, angles radians; what is hidden is in no visitor's answer.",
  history: "What was done to an event, and every state that it was in.",
  store: "The online store of an event, for those who edit it.",
  reports:
    "How many visitors came, what they did and where they stood. Published events count, previews do not.",
  webhooks: "Addresses that are told what happens to one's events, and the log of what they were told.",
  trash: "What was deleted, for 30 days.",
  visitors: "What links show, by their token.",
  users: "Accounts, for administrators.",
  groups:
    "With whom folders, spaces and media are shared. Administrators make groups; owners share with their own.",
  audit: "Who did what, to whom and when.",
  about: "This document.",
};
