import { describe, expect, it } from "vitest";
import { startPage } from "../auth/session";
import type { UserStatus } from "../shared/model";
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
  it("may log in only if it is activated", () => {
    expect(USER_STATUSES.filter(canLogIn)).toEqual(["ACTIVATED"]);
  });

  it("changes its status exactly as the table states", () => {
    const allowedMoves = USER_STATUSES.flatMap((from) =>
      USER_STATUSES.filter((to) => canMoveUserStatus(from, to)).map((to) => `${from} > ${to}`),
    );
    expect(allowedMoves.sort()).toEqual(
      [
        "EMAIL_UNVERIFIED > EMAIL_VERIFIED",
        "EMAIL_UNVERIFIED > DISAPPROVED",
        "EMAIL_VERIFIED > ACTIVATED",
        "EMAIL_VERIFIED > DISAPPROVED",
        "ACTIVATED > BLOCKED",
        "DISAPPROVED > ACTIVATED",
        "DISAPPROVED > EMAIL_UNVERIFIED",
        "BLOCKED > ACTIVATED",
        "BLOCKED > EMAIL_UNVERIFIED",
      ].sort(),
    );
  });

  it("is verified by its owner, and changed otherwise by administrators", () => {
    expect(administratorMoves("EMAIL_UNVERIFIED", false)).toEqual(["DISAPPROVED"]);
    for (const hasPassword of [true, false])
      expect(USER_STATUSES.flatMap((from) => administratorMoves(from, hasPassword))).not.toContain(
        "EMAIL_VERIFIED",
      );
    expect(administratorMoves("EMAIL_VERIFIED", true)).toEqual(["ACTIVATED", "DISAPPROVED"]);
  });

  it("cannot be activated by any changes before its owner has set a password", () => {
    const reachableStatuses = (from: UserStatus) => {
      const reachable = new Set(administratorMoves(from, false));
      // The loop also visits statuses that are added to the set during the iteration.
      for (const status of reachable) for (const to of administratorMoves(status, false)) reachable.add(to);
      return reachable;
    };
    for (const from of USER_STATUSES)
      expect([from, reachableStatuses(from).has("ACTIVATED")]).toEqual([from, false]);
    expect(administratorMoves("DISAPPROVED", false)).toEqual(["EMAIL_UNVERIFIED"]);
    expect(administratorMoves("BLOCKED", false)).toEqual(["EMAIL_UNVERIFIED"]);
    // With a password, no change leads back to the first status.
    for (const from of USER_STATUSES)
      expect(administratorMoves(from, true)).not.toContain("EMAIL_UNVERIFIED");
  });

  it("is verified when its invitation is accepted, and activated if it was approved in advance", () => {
    expect(statusAfterInvitation("EMAIL_UNVERIFIED", true)).toBe("ACTIVATED");
    expect(statusAfterInvitation("EMAIL_UNVERIFIED", false)).toBe("EMAIL_VERIFIED");
    for (const status of USER_STATUSES.filter((userStatus) => userStatus !== "EMAIL_UNVERIFIED"))
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
