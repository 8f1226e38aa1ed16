import { describe, expect, it } from "vitest";
import { TOUR_STOPS_MAX } from "~/domain/shared/limits";
import type { TourStop } from "~/domain/shared/model";
import { NEW_STOP } from "~/forms/content/scene-input";
import {
  applyTourAction,
  findDeletedStops,
  moveStops,
  restoreStops,
  stopHiddenReason,
  type TourAction,
} from "./tour-actions";

const tourOf = (ids: string): TourStop[] => [...ids].map((id) => ({ ...NEW_STOP, id }));
const idsOf = (tour: readonly TourStop[]) => tour.map(({ id }) => id).join("");
const idsAfter = (ids: string, action: TourAction, chosen: string) =>
  idsOf(applyTourAction(tourOf(ids), action, [...chosen], () => "x"));

describe("the stops of a tour", () => {
  it("move up and down together, and stop at the ends", () => {
    expect(idsAfter("abcd", "up", "c")).toBe("acbd");
    expect(idsAfter("abcd", "up", "bd")).toBe("bdac");
    expect(idsAfter("abcd", "up", "a")).toBe("abcd");
    expect(idsAfter("abcd", "down", "ab")).toBe("cabd");
    expect(idsAfter("abcd", "down", "c")).toBe("abdc");
    expect(idsAfter("abcd", "down", "d")).toBe("abcd");
    expect(idsAfter("abcd", "down", "?")).toBe("abcd");
  });

  it("are dropped before another stop, or at the end", () => {
    expect(idsOf(moveStops(tourOf("abcd"), ["a", "d"], "c"))).toBe("badc");
    expect(idsOf(moveStops(tourOf("abcd"), ["a"], null))).toBe("bcda");
  });

  it("are followed by their copies, if the tour has room for all of them", () => {
    expect(idsAfter("abc", "duplicate", "b")).toBe("abxc");
    expect(idsAfter("abc", "duplicate", "ac")).toBe("axbcx");
    const fullTour = Array.from({ length: TOUR_STOPS_MAX }, (_, index) => ({ ...NEW_STOP, id: `s${index}` }));
    expect(applyTourAction(fullTour, "duplicate", ["s0"], () => "x")).toBe(fullTour);
    const almostFullTour = fullTour.slice(1);
    expect(applyTourAction(almostFullTour, "duplicate", ["s1", "s2"], () => "x")).toBe(almostFullTour);
  });

  it("are restored after the stops that preceded them, or at the end", () => {
    const tour = tourOf("abcde");
    const deleted = findDeletedStops(tour, ["a", "c", "d"]);
    expect(idsOf(restoreStops(tourOf("be"), deleted))).toBe("abcde");
    expect(idsOf(restoreStops(tourOf("xe"), deleted))).toBe("axecd");
    expect(idsOf(restoreStops(tour, deleted))).toBe("abcde");
  });

  it("are hidden from visitors while their tag is hidden or deleted", () => {
    const tags = [
      { id: "t", hidden: false },
      { id: "h", hidden: true },
    ];
    expect(["t", "h", "x", null].map((tagId) => stopHiddenReason({ tagId }, tags))).toEqual([
      null,
      "hidden",
      "gone",
      null,
    ]);
  });
});
