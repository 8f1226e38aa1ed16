import { afterEach, expect, it, vi } from "vitest";
import type { Mail } from "#functions/services/shared/ports";
import { createMailer, type Mailbox } from "./mailer";

afterEach(() => vi.restoreAllMocks());

const MAIL: Mail = {
  to: "hanako@demo.example",
  subject: "【Hiroba】パスワードの再設定",
  text: "山田 花子 様\n\nhttps://hiroba.test/reset-password?token=SECRET\n",
  html: '<a href="https://hiroba.test/reset-password?token=SECRET">…</a>',
};
const FROM = { email: "no-reply@hiroba.test", name: "Hiroba" };

function createTestMailer(options: { refuses?: boolean; local?: boolean } = {}) {
  const sentMails: unknown[] = [];
  const storedMails: Mail[] = [];
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => lines.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => lines.push(line));
  const binding = {
    async send(builder: unknown) {
      if (options.refuses)
        throw new Error("hanako@demo.example: no route to https://hiroba.test/?token=SECRET");
      sentMails.push(builder);
    },
  } as unknown as SendEmail;
  const mailbox: Mailbox = {
    keep: async (mail) => {
      storedMails.push(mail);
    },
    list: async () => [],
    find: async () => null,
  };
  return {
    sentMails,
    storedMails,
    lines,
    ...createMailer({ binding, from: FROM, mailbox: options.local ? mailbox : null }),
  };
}

it("passes the whole mail to the binding and logs the subject, but not the recipient", async () => {
  const { send, sentMails, lines } = createTestMailer();
  await send(MAIL);
  expect(sentMails).toEqual([{ from: FROM, ...MAIL }]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: "info", message: "mail sent", subject: MAIL.subject },
  ]);
});

it("stores the mail and logs its recipient and link in development", async () => {
  const local = createTestMailer({ local: true });
  await local.send(MAIL);
  expect(local.storedMails).toEqual([MAIL]);
  expect(JSON.parse(local.lines[0] ?? "")).toMatchObject({
    to: MAIL.to,
    link: "https://hiroba.test/reset-password?token=SECRET",
  });
});

it("reports a rejected mail, stores nothing, and logs neither token nor address outside development", async () => {
  const { send, lines } = createTestMailer({ refuses: true });
  await expect(send(MAIL)).rejects.toThrow("no route");
  expect(lines.join()).toContain("mail refused");
  expect(lines.join()).not.toMatch(/SECRET|hanako/);
  const local = createTestMailer({ refuses: true, local: true });
  await expect(local.send(MAIL)).rejects.toThrow("no route");
  expect(local.storedMails).toEqual([]);
});
