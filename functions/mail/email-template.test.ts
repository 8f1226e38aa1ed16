import { describe, expect, it } from "vitest";
import type { EmailContent, EmailKind } from "#functions/services/shared/ports";
import type { Lang } from "~/domain/shared/model";
import { mail as en } from "~/i18n/en/mail";
import { emailTemplate } from "./email-template";

const KINDS = Object.keys(en).filter((key) => typeof en[key as keyof typeof en] === "object") as EmailKind[];
const LINK = "https://hiroba.test/reset-password?token=abc&lang=ja";

const content = (language: Lang, fields: Partial<EmailContent["user"]> = {}): EmailContent => ({
  user: {
    firstName: "花子",
    lastName: "山田",
    email: "hanako@demo.example",
    language,
    timeZone: "Asia/Tokyo",
    ...fields,
  },
  link: LINK,
  expiresAt: "2026-04-01T15:30:00.000Z",
  email: "new@demo.example",
  name: "receiver.example.com",
  at: "2026-04-01T01:00:00.000Z",
  stopLink: "https://hiroba.test/stop-mails?token=xyz&lang=ja",
});

/** Returns the visible text of the HTML. */
const visibleText = (html: string) =>
  html
    .replace(/<title>.*<\/title>/, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");

describe("an email template", () => {
  it.each(KINDS.flatMap((kind) => (["ja", "en"] as const).map((lang) => [kind, lang] as const)))(
    "contains each line of its text in its HTML: %s, %s",
    (kind, lang) => {
      const { subject, text, html } = emailTemplate(kind, content(lang));
      expect(subject).not.toBe("");
      expect(text + html + subject).not.toMatch(/\{\{|undefined|null/);
      expect(text).toContain(LINK);
      for (const line of text.split(/\n+/).filter((part) => part !== "" && part !== "--"))
        expect(visibleText(html)).toContain(line);
      expect(html).toContain(`<html lang="${lang}">`);
    },
  );

  it("greets users in their language and states the expiry in their time zone", () => {
    const ja = emailTemplate("reset", content("ja"));
    expect(ja.subject).toBe("【Hiroba】パスワードの再設定");
    expect(ja.text).toMatch(/^山田 花子 様\n/);
    expect(ja.text).toContain("2026年4月2日 00:30 JST");
    const english = content("en", { firstName: "Ada", lastName: "Hill", timeZone: "Europe/London" });
    expect(emailTemplate("reset", english).text).toMatch(/^Hello Ada Hill,\n/);
    expect(emailTemplate("reset", english).text).toContain("1 April 2026 at 16:30 BST");
  });

  it("escapes HTML in a name, and leaves placeholders in it as they are", () => {
    const { html, text } = emailTemplate(
      "invitation",
      content("en", { firstName: `<img src=x onerror="alert('1')">`, lastName: "& {{link}}" }),
    );
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; {{link}}");
    expect(text).toContain("{{link}}");
  });

  it("states no expiry if there is none", () => {
    const { text } = emailTemplate("passwordChanged", { ...content("en"), expiresAt: null });
    expect(text).not.toContain("until");
  });
});
