import { describe, expect, it } from "vitest";
import { startPage } from "./session";
import {
  canLogIn,
  canMoveUserStatus,
  isUserStatus,
  USER_STATUS_MOVES,
  USER_STATUS_WIRE,
  USER_STATUSES,
} from "./user-status";

describe("an account", () => {
  it("may log in only when it is activated", () => {
    expect(USER_STATUSES.filter(canLogIn)).toEqual(["ACTIVATED"]);
  });

  it("moves exactly as the table says", () => {
    const moves = USER_STATUSES.flatMap((from) =>
      USER_STATUSES.filter((to) => canMoveUserStatus(from, to)).map((to) => `${from} > ${to}`),
    );
    expect(moves.sort()).toEqual(
      [
        "EMAIL_UNVERIFIED > EMAIL_VERIFIED",
        "EMAIL_UNVERIFIED > DISAPPROVED",
        "EMAIL_VERIFIED > ACTIVATED",
        "EMAIL_VERIFIED > DISAPPROVED",
        "ACTIVATED > BLOCKED",
        "DISAPPROVED > ACTIVATED",
        "BLOCKED > ACTIVATED",
      ].sort(),
    );
  });

  it("has one of five statuses, spelled as in the specification when sent", () => {
    expect([...USER_STATUSES].sort()).toEqual(Object.keys(USER_STATUS_MOVES).sort());
    expect(Object.values(USER_STATUS_WIRE).sort()).toEqual(
      ["BLOCKED", "DISAPPROVED", "EMAIL UNVERIFIED", "EMAIL VERIFIED", "ACTIVATED"].sort(),
    );
    expect(["ACTIVATED", "toString", "", null].map(isUserStatus)).toEqual([true, false, false, false]);
  });

  it("starts on the page of its role", () => {
    expect(startPage("admin")).toBe("/user-list");
    expect(startPage("user")).toBe("/space-list");
  });
});
