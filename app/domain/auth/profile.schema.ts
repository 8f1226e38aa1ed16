import * as z from "zod";
import {
  field,
  formError,
  readFlag,
  textField,
  versionField,
  withCrossFieldRules,
} from "../shared/fields.schema";
import { isLang } from "../shared/lang";
import { COMPANY_NAME_MAX, PERSON_NAME_MAX } from "../shared/limits";
import type { Lang, User } from "../shared/model";
import { isTimeZone } from "../shared/time-zone";

/** The first or the last name of a person. Either may be empty, as some people have only one name. */
export const personNameField = textField({ max: PERSON_NAME_MAX, tooLong: "auth:errors.person.nameTooLong" });

/** The name of a company; empty for none. */
export const companyNameField = textField({
  max: COMPANY_NAME_MAX,
  tooLong: "auth:errors.person.companyTooLong",
});

/** One of the languages of the interface. */
export const langField = field<Lang, string>((value) =>
  isLang(value) ? { value } : { error: "auth:errors.person.language" },
);

/** The IANA name of a time zone that this platform supports. */
export const timeZoneField = field<string, string>((value) =>
  typeof value === "string" && isTimeZone(value) ? { value } : { error: "auth:errors.person.timeZone" },
);

/** Adds the rule that at least one of the two names is not empty. */
export function withName<T extends { firstName: string; lastName: string }, I>(schema: z.ZodType<T, I>) {
  return withCrossFieldRules(schema, ({ firstName, lastName }, add) => {
    if (firstName === "" && lastName === "") add(["lastName"], "auth:errors.person.nameRequired");
  });
}

/** The form in which users edit their own profile: {version, lastName, firstName, companyName, language, timeZone, statusMails}. */
export function createProfileSchema() {
  return withName(
    z.object(
      {
        version: versionField,
        lastName: personNameField,
        firstName: personNameField,
        companyName: companyNameField,
        language: langField,
        timeZone: timeZoneField,
        statusMails: field<boolean, unknown>(readFlag),
      },
      formError,
    ),
  );
}

/** A validated profile form. */
export type ProfileValue = z.output<ReturnType<typeof createProfileSchema>>;

/** The fields of the profile form that can change. */
export type ProfileField = Exclude<keyof ProfileValue, "version">;

const FIELDS = [
  "lastName",
  "firstName",
  "companyName",
  "language",
  "timeZone",
  "statusMails",
] as const satisfies ProfileField[];

/** Returns the fields in which a validated form differs from the saved account, in the order of the form. */
export function changedProfileFields(saved: User, value: ProfileValue): ProfileField[] {
  return FIELDS.filter((name) => saved[name] !== value[name]);
}

/** Returns all selectable time zones, sorted by name, including `accountZone`, which may be unknown on this platform. */
export function timeZones(accountZone: string): readonly string[] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", accountZone]);
  return [...zones].sort();
}
