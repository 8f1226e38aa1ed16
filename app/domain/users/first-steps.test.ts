import { expect, it } from "vitest";
import { firstSteps } from "./first-steps";

const steps = (...records: [string | null, string | null, boolean]) => {
  const [spaceId, eventId, hasLink] = records;
  return firstSteps({ spaceId, eventId, hasLink }).map(({ name, isDone, isPresent }) =>
    [name, isDone && "done", isPresent && "present"].filter(Boolean).join(" "),
  );
};

it("the first steps follow from the records, and the first that is not done is present", () => {
  expect(steps(null, null, false)).toEqual(["space present", "event", "link"]);
  expect(steps("s", null, false)).toEqual(["space done", "event present", "link"]);
  expect(steps("s", "e", false)).toEqual(["space done", "event done", "link present"]);
  expect(steps("s", "e", true)).toEqual(["space done", "event done", "link done"]);
});

it("the first steps may be done in another order", () => {
  expect(steps("s", null, true)).toEqual(["space done", "event present", "link done"]);
});
