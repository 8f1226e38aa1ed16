import { describe, expect, it } from "vitest";
import { COMPANY_NAME_MAX, PERSON_NAME_MAX } from "../shared/limits";
import { changedProfileFields, createProfileSchema, timeZones } from "./profile.schema";

const valid = {
  version: "3",
  lastName: "山田",
  firstName: "花子",
  companyName: "広場",
  language: "ja",
  timeZone: "Asia/Tokyo",
  statusMails: "on",
};
const messages = (fields: Record<string, unknown>) => {
  const parsed = createProfileSchema().safeParse({ ...valid, ...fields });
  return parsed.success
    ? {}
    : Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]));
};

describe("the profile form", () => {
  it("accepts and normalises a valid form", () => {
    expect(createProfileSchema().parse({ ...valid, companyName: "  広場\u0301 " })).toEqual({
      ...valid,
      version: 3,
      companyName: "広場\u0301",
      statusMails: true,
    });
    expect(createProfileSchema().parse({ ...valid, statusMails: undefined }).statusMails).toBe(false);
    expect(messages({ companyName: "", firstName: "" })).toEqual({});
    expect(messages({ companyName: undefined, lastName: undefined })).toEqual({});
  });

  it("requires at least one name, and rejects long names and invalid characters", () => {
    expect(messages({ firstName: " ", lastName: "" })).toEqual({
      lastName: "auth:errors.person.nameRequired",
    });
    expect(messages({ firstName: "😀".repeat(PERSON_NAME_MAX) })).toEqual({});
    expect(messages({ firstName: "a".repeat(PERSON_NAME_MAX + 1) })).toEqual({
      firstName: "auth:errors.person.nameTooLong",
    });
    expect(messages({ companyName: "a".repeat(COMPANY_NAME_MAX + 1) })).toEqual({
      companyName: "auth:errors.person.companyTooLong",
    });
    expect(messages({ lastName: "a\u0000" })).toEqual({ lastName: "shared-owners:errors.text.control" });
    expect(messages({ lastName: "\u202ea" })).toEqual({ lastName: "shared-owners:errors.text.bidi" });
  });

  it.each(["fr", "", undefined, ["ja"], "JA"])("rejects %s as a language", (language) => {
    expect(messages({ language })).toEqual({ language: "auth:errors.person.language" });
  });

  it.each(["Mars/Olympus", "", undefined, "+09:00", "x".repeat(1_000_000), "Asia/Tokyo\n"])(
    "rejects a time zone that the platform does not know",
    (timeZone) => {
      expect(messages({ timeZone })).toEqual({ timeZone: "auth:errors.person.timeZone" });
    },
  );

  it("offers only valid time zones, including the current one", () => {
    const zones = timeZones("Asia/Calcutta");
    expect(zones.length).toBeGreaterThan(300);
    for (const zone of ["Asia/Tokyo", "UTC", "Asia/Calcutta", "Europe/Lisbon"]) expect(zones).toContain(zone);
    expect(new Set(zones).size).toBe(zones.length);
    for (const timeZone of zones) expect(messages({ timeZone })).toEqual({});
  });

  it("lists the changed fields", () => {
    const saved = { ...createProfileSchema().parse(valid), email: "a@b", id: "x" };
    const value = createProfileSchema().parse({ ...valid, firstName: "一郎", timeZone: "UTC" });
    expect(changedProfileFields(saved as never, value)).toEqual(["firstName", "timeZone"]);
  });
});
