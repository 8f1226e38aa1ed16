/** A report as JSON: the same format for API responses and for the file that the report page offers. */

import { VISIT_NUMBERS, type VisitNumber, type VisitNumbers } from "~/domain/analytics/visit-tally";
import { singleName, singleText } from "~/domain/events/event-texts";
import type { RankedItem, RankedTrait, Report, ReportPoint } from "./reports";

/** Name of a number in files and API responses. */
export const jsonName = (name: VisitNumber) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const numbersJson = <T>(numbers: Readonly<Record<VisitNumber, T>>): Record<string, T> =>
  Object.fromEntries(VISIT_NUMBERS.map((name) => [jsonName(name), numbers[name]]));
const pointJson = ({ period, numbers }: ReportPoint) => ({
  period,
  numbers: numbersJson(numbers satisfies VisitNumbers),
});
const rankedItemJson = ({ id, name, eventId, count }: RankedItem) => ({
  id,
  name,
  event_uuid: eventId,
  count,
});
const traitJson = ({ code, count }: RankedTrait) => ({ code, count });

/** A report in the API's format. */
export const reportJson = (report: Report) => ({
  kind: report.scope.kind,
  uuid: report.scope.id,
  name: singleName(report.scope.name),
  time_zone: report.timeZone,
  period: {
    kind: report.period.kind,
    from: report.period.days?.from ?? null,
    to: report.period.days?.to ?? null,
    previous: report.period.previous,
    next: report.period.next,
    is_running: report.period.isRunning,
  },
  numbers: numbersJson(report.numbers),
  series: {
    grain: report.series.grain,
    points: report.series.points.map(pointJson),
    before: report.series.before.map(pointJson),
  },
  tags: report.tags.map(rankedItemJson),
  media: report.media.map(rankedItemJson),
  products: report.products.map(rankedItemJson),
  carts: report.carts.map(rankedItemJson),
  funnel: report.funnel.map(({ step, visitors }) => ({ step, visitors })),
  languages: report.languages.map(traitJson),
  devices: report.devices.map(traitJson),
  countries: report.countries.map(traitJson),
  referrers: report.referrers.map(traitJson),
  places: report.places && {
    nodes: report.places.nodes.map(({ id, title, position, seconds }) => ({ id, title, position, seconds })),
    cells: report.places.cells.map(({ position, seconds }) => ({ position, seconds })),
    cell_size: report.places.cellSize,
    elsewhere: report.places.elsewhere,
  },
  events: report.events.map((event) => ({
    uuid: event.id,
    event_name: singleText(event.name),
    names: event.name,
    space_uuid: event.spaceId,
    space_name: event.spaceName,
    visits: event.visits,
    visitors: event.visitors,
  })),
  marks: report.marks.map(({ period, kind, eventId, count }) => ({
    period,
    kind,
    event_uuid: eventId,
    count,
  })),
  live: report.live,
  missing: report.missing,
  lost: report.lost,
});
