import { expect, it } from "vitest";
import type { AuditRow } from "#functions/services/users/user-ports";
import { EVENT_FIELDS } from "~/domain/events/event-changes";
import { LANGS } from "~/domain/shared/lang";
import { languages } from "~/i18n/languages.server";
import { describeAuditEntry } from "./describe-audit-entry";

const person = (id: string) => ({ id, firstName: "", lastName: id, email: `${id}@demo.example` });
const row = (fields: Partial<AuditRow>): AuditRow => ({
  id: "1",
  at: "2026-04-01T00:00:00.000Z",
  actorId: "admin",
  actor: person("admin"),
  action: "user_updated",
  resourceType: "user",
  resourceId: "owner",
  resource: { person: person("owner") },
  detail: {},
  ...fields,
});

it.each(LANGS)("names the sender and the recipient of a link (%s)", (lang) => {
  const { t } = languages[lang];
  for (const action of ["reset_link_sent", "invitation_link_sent"]) {
    const { text } = describeAuditEntry(row({ action }), t, lang);
    expect(text).toContain("admin@demo.example");
    expect(text).toContain("owner@demo.example");
  }
  expect(
    describeAuditEntry(row({ action: "reset_link_sent", actorId: null, actor: null }), t, lang).text,
  ).toContain(t("users:auditLog.notLoggedIn"));
});

it("separates fields with the language's comma", () => {
  const lines = LANGS.map(
    (lang) =>
      describeAuditEntry(row({ detail: { fields: ["lastName", "email"] } }), languages[lang].t, lang)
        .details[0],
  );
  expect(lines.sort()).toEqual(["Fields: last name, email address", "項目：姓、メールアドレス"]);
});

it.each(LANGS)("names each field of an event (%s)", (lang) => {
  for (const field of EVENT_FIELDS) {
    const [line] = describeAuditEntry(row({ detail: { fields: [field] } }), languages[lang].t, lang).details;
    expect(line).not.toContain(field);
  }
});

it("adds さん to names in Japanese, puts titles into quotation marks, and can leave out email addresses", () => {
  const actor = { id: "a", firstName: "花子", lastName: "山田", email: "hanako@demo.example" };
  const renamed = row({ action: "space_renamed", actor, resourceType: "space", resource: { name: "本館" } });
  const [ja, en] = (["ja", "en"] as const).map(
    (lang) => describeAuditEntry(renamed, languages[lang].t, lang).text,
  );
  expect(ja).toBe("山田 花子さん（hanako@demo.example）がスペース「本館」の名前を変更しました");
  expect(en).toBe("山田 花子 (hanako@demo.example) renamed the space “本館”");
  expect(describeAuditEntry(renamed, languages.ja.t, "ja", { showsAddresses: false }).text).toBe(
    "山田 花子さんがスペース「本館」の名前を変更しました",
  );
});

it("shows the email address of a person without a name only to readers who may see addresses", () => {
  const actor = { id: "a", firstName: "", lastName: "", email: "hanako@demo.example" };
  const renamed = row({ action: "space_renamed", actor, resourceType: "space", resource: { name: "本館" } });
  const describeFor = (showsAddresses: boolean) =>
    describeAuditEntry(renamed, languages.en.t, "en", { showsAddresses }).text;
  expect(describeFor(true)).toBe("hanako@demo.example renamed the space “本館”");
  expect(describeFor(false)).toBe("a user without a name renamed the space “本館”");
});
