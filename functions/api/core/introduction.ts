/** The introduction of the reference: rules for all calls, and the sections of the API. */
import type { Tag } from "./call";

/** Rules for all calls, as Markdown. */
export const INTRODUCTION = `Programs call the same use cases as the pages. Paths work with and without the trailing slash and with and without \`.json\`; JSON bodies are objects of at most 1 MB.

**Who calls.** A session's ticket from \`POST /api/cas/tickets\`, as \`Authorization: Bearer …\` or as the cookie \`__Host-session-ticket\` (\`session-ticket\` on a developer's machine). With the cookie, changes are accepted only from pages of this host. Programs have access tokens (\`hir_…\`), made on \`/account/tokens\`, only as \`Authorization: Bearer …\`. They permit the calls of their scopes (each call states its scope; without it 403 \`insufficient_scope\`), except calls that need a session (403 \`session_required\`).

**Errors** are problem documents (RFC 9457) with a stable \`code\`, in English or in Japanese with \`?lang=ja\`, \`Accept-Language: ja\` or the cookie that remembers the language. A record that the caller may not see returns 404, like a record that does not exist.

**Versions.** Records carry a \`version\`, and responses with one record an \`ETag\`. A change that states either (\`version\` in the body, or \`If-Match\`) never overwrites a newer version: it returns 409 or 412 \`stale_version\`, with the saved record. A change affects only the given fields; if all values are saved already, it returns 200 and writes nothing.

**Retries.** A creation with an \`Idempotency-Key\` is done once within 24 hours, and repeated calls get the same response; another request with the same key returns 422 \`idempotency_key_reused\`.

**Rate limit.** 600 calls a minute for each session or access token, and for each network without either; then 429 \`rate_limited\` with \`Retry-After\`.

**Lists** return 20 items by default and up to 100 with \`limit\`; short lists are complete without it, and lists of events are complete and streamed without \`limit\`, \`page\` and \`cursor\`. All lists continue from the \`cursor\` of the \`Link\` header; some also have page numbers. \`X-Total-Count\` is the total number, if it is counted. An invalid cursor returns 400; if the item of a cursor was deleted permanently, the list is empty.

**Units.** Instants are ISO 8601 in UTC; sizes are bytes, lengths metres with y up, angles radians.`;

/** The sections of the API, in the order of the reference. */
export const TAGS: Readonly<Record<Tag, string>> = {
  account: "Sessions, passwords, and the caller's account.",
  spaces: "3D spaces in their folders. Every space has at least one event.",
  folders:
    "Each account has two folder trees, for spaces and for media. Folders are nested at most 32 levels deep, and an account has at most 5,000 folders of each type.",
  media: "Files and web media of libraries.",
  uploads: "Files are uploaded in slices, and interrupted uploads can be resumed.",
  packages:
    "Export of events and spaces as files, and import into this or another installation. A file is a ZIP whose `hiroba.json` (`format` hiroba-package, `version` 1) uses the field names of this document.",
  batches: "Actions on several records. Each record has its own result.",
  events: "Dated layers over spaces.",
  content:
    "Tags, media and the scene of an event. Positions are metres, angles radians; responses to visitors omit hidden records.",
  history: "The changes of an event, and all of its earlier states.",
  store: "The online store of an event, for its editors.",
  reports:
    "Numbers of visitors, their actions and their positions. Only published events are counted, not previews.",
  webhooks: "Endpoints that receive messages about the caller's events, and the log of these messages.",
  trash: "Records deleted in the last 30 days.",
  visitors: "Events for visitors, by the token of a link.",
  users: "Accounts, for administrators.",
  groups:
    "Groups with which folders, spaces and media are shared. Administrators create groups; owners share with the groups to which they belong.",
  audit: "The audit log of all actions.",
  about: "This document.",
};
