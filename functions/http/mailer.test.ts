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

function open(options: { refuses?: boolean; local?: boolean } = {}) {
  const sent: unknown[] = [];
  const kept: Mail[] = [];
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => lines.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => lines.push(line));
  const binding = {
    async send(builder: unknown) {
      if (options.refuses)
        throw new Error("hanako@demo.example: no route to https://hiroba.test/?token=SECRET");
      sent.push(builder);
    },
  } as unknown as SendEmail;
  const mailbox: Mailbox = {
    keep: async (mail) => {
      kept.push(mail);
    },
    list: async () => [],
    find: async () => null,
  };
  return {
    sent,
    kept,
    lines,
    ...createMailer({ binding, from: FROM, mailbox: options.local ? mailbox : null }),
  };
}

it("hands the whole mail to the binding and tells the log about what, but not to whom", async () => {
  const { send, sent, lines } = open();
  await send(MAIL);
  expect(sent).toEqual([{ from: FROM, ...MAIL }]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: "info", message: "mail sent", subject: MAIL.subject },
  ]);
});

it("keeps the mail and tells the link on a developer's machine alone", async () => {
  const local = open({ local: true });
  await local.send(MAIL);
  expect(local.kept).toEqual([MAIL]);
  expect(JSON.parse(local.lines[0] ?? "")).toMatchObject({
    to: MAIL.to,
    link: "https://hiroba.test/reset-password?token=SECRET",
  });
});

it("says so when the mail is refused, keeps nothing, and logs neither token nor address", async () => {
  const { send, kept, lines } = open({ refuses: true });
  await expect(send(MAIL)).rejects.toThrow("no route");
  expect(kept).toEqual([]);
  expect(lines.join()).toContain("mail refused");
  expect(lines.join()).not.toMatch(/SECRET|hanako/);
});
