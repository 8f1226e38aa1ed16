import { expect, it } from "vitest";
import { NO_VISITS, VISIT_NUMBERS, type VisitNumbers } from "~/domain/analytics/visit-tally";
import { demoData, demoIds } from "./demo";
import { demoProductNames, demoVisits } from "./demo-visits";

const now = Date.parse("2026-05-01T09:30:00Z");

it("the demo's main event has several thousand visits in 33 days, none before its start and none in the future", () => {
  const totals = demoVisits(demoData(now), now).filter(({ eventId }) => eventId === demoIds.mainEvent);
  const sum: Record<keyof VisitNumbers, number> = { ...NO_VISITS };
  for (const { numbers } of totals) for (const name of VISIT_NUMBERS) sum[name] += numbers[name];
  expect(sum.visits).toBeGreaterThan(2000);
  expect(sum.visits).toBeLessThan(10_000);
  // Some visitors return on the same day, and no step towards a purchase has more visitors than the one before.
  expect(sum.visitors).toBeLessThan(sum.visits);
  const funnel = [sum.visitors, sum.tagVisitors, sum.productVisitors, sum.cartVisitors, sum.checkoutVisitors];
  expect(funnel).toEqual([...funnel].sort((a, b) => b - a));
  expect(sum.checkoutVisitors).toBeGreaterThan(10);
  expect(sum.seconds / sum.visits).toBeGreaterThan(20);
  const hours = totals.map(({ hour }) => hour).sort();
  expect([hours[0], hours.at(-1)]).toEqual(["2026-03-29T10", "2026-05-01T18"]);
  expect(totals.some(({ parts }) => Object.keys(parts).some((name) => name.startsWith("at:c")))).toBe(true);
});

it("the products that visitors viewed have a name in both languages", () => {
  const names = demoProductNames(demoData(now));
  const namedProducts = new Set(names.map(({ number, lang }) => `${lang} ${number}`));
  const productNumbers = demoVisits(demoData(now), now)
    .flatMap(({ parts }) => Object.keys(parts))
    .flatMap((name) => (name.startsWith("product:") ? [name.slice("product:".length)] : []));
  expect(productNumbers.length).toBeGreaterThan(0);
  for (const number of productNumbers)
    expect([namedProducts.has(`ja ${number}`), namedProducts.has(`en ${number}`)]).toEqual([true, true]);
  // D1 accepts at most 100 bound parameters per statement.
  expect(names.length * 4).toBeLessThanOrEqual(100);
});

it("the visits are the same a week later except for their dates", () => {
  const [firstVisits, laterVisits] = [now, now + 7 * 86_400_000].map((time) =>
    demoVisits(demoData(time), time).map(({ hour: _hour, ...total }) => total),
  );
  expect(firstVisits).toEqual(laterVisits);
});
