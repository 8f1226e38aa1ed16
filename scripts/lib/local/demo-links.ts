import type { Miniflare } from "miniflare";
import type { LinkMode } from "../../../app/domain/shared/model";
import { demoData, demoIds, demoPassword, demoPublishPassword } from "../../../seed/demo";

/** Visitor URL of a demo event. The default is the main event. */
export function demoLink(origin: string, mode: LinkMode, eventId: string = demoIds.mainEvent): string {
  const event = demoData(0).events.find(({ id }) => id === eventId);
  if (!event) throw new Error(`The demo has no event ${eventId}`);
  const token = mode === "preview" ? event.previewAccessToken : event.accessToken;
  return `${origin}/event/${mode}/${event.id}?token=${token}`;
}

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** Maximum number of accounts that are listed when the demo is not in the database. */
const MAX_LISTED_ACCOUNTS = 5;

/** Summary of a database as `npm start` prints it: the demo's log-ins and links when the demo is there, otherwise the accounts. */
export async function describeState(db: Database, origin: string): Promise<string> {
  const ids = [demoIds.mainEvent, demoIds.passwordEvent, demoIds.owner, demoIds.admin];
  const { results } = await db
    .prepare(
      `SELECT id FROM events WHERE id IN (?1, ?2) AND deleted_at IS NULL
       UNION ALL SELECT id FROM users WHERE id IN (?3, ?4) AND deleted_at IS NULL`,
    )
    .bind(...ids)
    .all();
  if (results.length === ids.length) return describeDemo(origin);
  const count = await db.prepare("SELECT count(*) AS n FROM users").first<number>("n");
  const users = await db
    .prepare("SELECT email, role, status FROM users ORDER BY created_at LIMIT ?")
    .bind(MAX_LISTED_ACCOUNTS)
    .all<Record<"email" | "role" | "status", string>>();
  return [
    "The demo is not in this database: `npm start -- --fresh` deletes this data and seeds the demo.",
    `Log-in       ${origin}/login`,
    `Mailbox      ${origin}/dev/mail`,
    ...users.results.map(({ email, role, status }) => `Account      ${email}  ${role}, ${status}`),
    ...((count ?? 0) > MAX_LISTED_ACCOUNTS
      ? [`             and ${(count ?? 0) - MAX_LISTED_ACCOUNTS} more`]
      : []),
  ].join("\n");
}

/** The demo's URLs and log-ins. */
function describeDemo(origin: string): string {
  return [
    `Log-ins      owner@demo.example  ${demoPassword}`,
    `             admin@demo.example  ${demoPassword}`,
    `Mailbox      ${origin}/dev/mail`,
    `Public link  ${demoLink(origin, "published")}`,
    `Preview link ${demoLink(origin, "preview")}`,
    `With a password (${demoPublishPassword}): ${demoLink(origin, "published", demoIds.passwordEvent)}`,
  ].join("\n");
}
