import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Request as MiniflareRequest, Response as MiniflareResponse } from "miniflare";

const MAX_STORED_MAILS = 100;

/**
 * A service binding that stores the latest mails of this machine in its state folder, or in memory when `state` is null. POST
 * stores a mail. Every response lists the mails, newest first.
 */
export function localMailbox(
  state: string | null,
): (request: MiniflareRequest) => Promise<MiniflareResponse> {
  const file = state === null ? null : join(state, "mailbox.json");
  let mails: unknown[] =
    file !== null && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as unknown[]) : [];
  return async (request) => {
    if (request.method === "POST") {
      const mail = (await request.json()) as object;
      const storedMail = { id: randomUUID(), sentAt: new Date().toISOString(), ...mail };
      mails = [storedMail, ...mails].slice(0, MAX_STORED_MAILS);
      if (state !== null && file !== null) {
        mkdirSync(state, { recursive: true });
        writeFileSync(file, JSON.stringify(mails));
      }
    }
    return MiniflareResponse.json(mails);
  };
}
