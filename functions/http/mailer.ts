import type { Mail, Mailer } from "#functions/services/shared/ports";
import { errorFields, log } from "./log";

/** A mail in the local mailbox. */
export interface StoredMail extends Mail {
  readonly id: string;
  /** ISO instant. */
  readonly sentAt: string;
}

/** Transport and sender of mails. */
export interface MailOptions {
  readonly binding: SendEmail;
  readonly from: { readonly email: string; readonly name: string };
  /** The mailbox in development, which also stores every mail. */
  readonly mailbox: Mailbox | null;
}

/**
 * Sends mails through the platform's mail service. The log contains the subject of each mail, but neither the recipient nor the text. In
 * development, where nothing is delivered, it contains the recipient and the link as well.
 */
export function createMailer({ binding, from, mailbox }: MailOptions): Mailer {
  return {
    async send(mail) {
      const { to, subject, text, html, headers } = mail;
      const [link] = /https?:\/\/\S+/.exec(text) ?? [];
      const logFields = { subject, ...(mailbox && { to }) };
      try {
        await binding.send({ from, to, subject, text, html, ...(headers && { headers }) });
      } catch (error) {
        log("error", "mail refused", { ...logFields, ...errorFields(error) });
        throw error;
      }
      log("info", "mail sent", { ...logFields, ...(mailbox && link && { link }) });
      await mailbox?.keep(mail);
    },
  };
}

/** The local mailbox, which is present only in development (scripts/lib/local/mailbox.ts). */
export interface Mailbox {
  keep(mail: Mail): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly StoredMail[]>;
  find(id: string): Promise<StoredMail | null>;
}

/** Creates a client of the local mailbox's service binding. */
export function createMailbox(service: Fetcher): Mailbox {
  const list = async () => (await service.fetch("http://mailbox/")).json<readonly StoredMail[]>();
  return {
    async keep(mail) {
      await service.fetch("http://mailbox/", { method: "POST", body: JSON.stringify(mail) });
    },
    list,
    find: async (id) => (await list()).find((mail) => mail.id === id) ?? null,
  };
}
