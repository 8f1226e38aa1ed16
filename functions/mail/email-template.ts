import type { EmailTemplate } from "#functions/services/shared/ports";
import type { Instant, User } from "~/domain/shared/model";
import { formatName } from "~/i18n/format";
import { languages } from "~/i18n/languages.server";

/** Display name of the sender of all mails. */
export const SENDER_NAME = "Hiroba";

/** Writes a mail in its recipient's language: as plain text, and as HTML with the same content. */
export const emailTemplate: EmailTemplate = (kind, content) => {
  const { user, link, expiresAt, email = "", name = "", at, stopLink, lines = [] } = content;
  const { language, t } = languages[user.language];
  const greeting = t("mail:greeting", { name: formatName(user) });
  const translate = (key: "subject" | "text" | "action" | "after") =>
    t(`mail:${kind}.${key}`, { email, name, at: at === undefined ? "" : formatInstant(at, user) });
  const expiryText = expiresAt === null ? "" : t("mail:until", { until: formatInstant(expiresAt, user) });
  const subject = translate("subject");
  const lineTexts = lines.map(({ phrase, values }) => t(`mail:privilegesChanged.line.${phrase}`, values));
  const stopText = stopLink === undefined ? "" : `${t("mail:stop")} ${stopLink}`;
  const text = [
    greeting,
    translate("text"),
    lineTexts.map((line) => `- ${line}`).join("\n"),
    link,
    expiryText,
    translate("after"),
    stopText,
    `--\n${t("mail:footer")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  const href = escapeHtml(link);
  const linkHtml = (url: string) =>
    `<a href="${escapeHtml(url)}" style="overflow-wrap:anywhere">${escapeHtml(url)}</a>`;
  const paragraph = (content: string) => `<p style="margin:0 0 20px">${escapeHtml(content)}</p>`;
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:32px 20px;font-family:'Hiragino Sans','Noto Sans JP','Yu Gothic UI',system-ui,sans-serif;font-size:16px;line-height:${language === "ja" ? "1.7" : "1.5"}">
<main style="max-width:34em;margin:0 auto">
<h1 style="margin:0 0 24px;font-size:20px;line-height:1.4">${escapeHtml(subject)}</h1>
${paragraph(greeting)}
${paragraph(translate("text"))}${lineTexts.length === 0 ? "" : `\n<ul style="margin:0 0 20px;padding-left:20px">${lineTexts.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`}
<p style="margin:0 0 20px"><a href="${href}" style="display:inline-block;padding:10px 20px;border-radius:6px;background-color:#2a4a94;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(translate("action"))}</a></p>
${expiryText && paragraph(expiryText)}
${paragraph(translate("after"))}
<p style="margin:0 0 20px;font-size:14px">${escapeHtml(t("mail:copyHint"))}<br>${linkHtml(link)}</p>
${stopLink === undefined ? "" : `<p style="margin:0 0 20px;font-size:14px">${escapeHtml(t("mail:stop"))} ${linkHtml(stopLink)}</p>`}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #868b95;font-size:14px">${escapeHtml(t("mail:footer"))}</p>
</main>
</body>
</html>
`;
  const mail = { subject, text: `${text}\n`, html };
  if (stopLink === undefined) return mail;
  // One click in the recipient's mail program unsubscribes by posting to stopLink (RFC 8058).
  const headers = {
    "List-Unsubscribe": `<${stopLink}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  return { ...mail, headers };
};

/** Formats an instant in the recipient's language and time zone, with the zone's name. */
function formatInstant(instant: Instant, user: Pick<User, "language" | "timeZone">): string {
  return new Intl.DateTimeFormat(user.language === "ja" ? "ja-JP" : "en-GB", {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: user.timeZone,
    timeZoneName: "short",
  }).format(Date.parse(instant));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
