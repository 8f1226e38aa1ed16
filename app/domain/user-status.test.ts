import { describe, expect, it } from "vitest";
import { startPage } from "./session";
import {
  administratorMoves,
  canLogIn,
  canMoveUserStatus,
  isUserStatus,
  statusAfterInvitation,
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

  it("is verified by its owner, and moved otherwise by administrators", () => {
    expect(administratorMoves("EMAIL_UNVERIFIED")).toEqual(["DISAPPROVED"]);
    expect(USER_STATUSES.flatMap(administratorMoves)).not.toContain("EMAIL_VERIFIED");
    expect(administratorMoves("EMAIL_VERIFIED")).toEqual(["ACTIVATED", "DISAPPROVED"]);
  });

  it("is verified by accepting its invitation, and activated when it was approved in advance", () => {
    expect(statusAfterInvitation("EMAIL_UNVERIFIED", true)).toBe("ACTIVATED");
    expect(statusAfterInvitation("EMAIL_UNVERIFIED", false)).toBe("EMAIL_VERIFIED");
    for (const status of USER_STATUSES.filter((each) => each !== "EMAIL_UNVERIFIED"))
      expect([status, statusAfterInvitation(status, true)]).toEqual([status, null]);
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
