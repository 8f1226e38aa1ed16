import { expect, it } from "vitest";
import { firstSteps } from "./first-steps";

const steps = (...records: [string | null, string | null, boolean]) => {
  const [spaceId, eventId, hasUsedLink] = records;
  return firstSteps({ spaceId, eventId, hasUsedLink }).map(({ name, isDone, isCurrent }) =>
    [name, isDone && "done", isCurrent && "current"].filter(Boolean).join(" "),
  );
};

it("the first steps follow from the records, and the first that is not done is current", () => {
  expect(steps(null, null, false)).toEqual(["space current", "event", "link"]);
  expect(steps("s", null, false)).toEqual(["space done", "event current", "link"]);
  expect(steps("s", "e", false)).toEqual(["space done", "event done", "link current"]);
  expect(steps("s", "e", true)).toEqual(["space done", "event done", "link done"]);
});

it("the first steps may be done in another order", () => {
  expect(steps("s", null, true)).toEqual(["space done", "event current", "link done"]);
});
