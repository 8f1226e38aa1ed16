/**
 * An event's visits as a file for spreadsheets (decision 095). A page reports a visit in parts. A part has the actions since the previous part
 * (`act`, such as opening a tag) with their items, and the stays: the seconds at each place.
 */

import { addDays, type LocalDate, type ReportPeriod } from "~/domain/analytics/report-period";
import { dayOfHour, type VisitRecord } from "~/domain/analytics/visit";
import type { Actor } from "~/domain/auth/actor";
import type { Uuid } from "~/domain/shared/model";
import { AppError } from "../shared/errors";
import { nameInBothLanguages, type ReportExportDeps } from "./report-export";
import { type Report, report } from "./reports";
import type { EventRooms, VisitArchives } from "./visit-ports";

/** Dependencies of the export of visits. */
export interface VisitExportDeps extends Omit<ReportExportDeps, "rooms"> {
  readonly rooms: Pick<EventRooms, "flush" | "parts">;
  readonly visitArchives: VisitArchives;
}

/** The requested visits. */
export interface VisitExportInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
  readonly period: ReportPeriod;
  /** A day of the period, in the owner's time zone; today by default. */
  readonly at?: LocalDate | undefined;
}

/** A stored part, without its event. */
type StoredPart = Omit<VisitRecord, "eventId">;

/** Each action and each stay has a line. A part with neither has one line. */
const COLUMNS = [
  ...["time", "hour", "visitor", "visit", "part", "language", "device", "country", "referrer"],
  ...["act", "id", "name", "place", "seconds"],
] as const;

/**
 * The visits of an event as a CSV file: one action or stay a line, in the order of their arrival.
 * @returns the report of the period, and the file, which is read from R2 and from the event's room (the Durable Object that collects its visits)
 * while it is sent
 * @throws NotFoundError as `report` does
 * @throws AppError of the kind "unavailable" when the event's room does not respond
 */
export async function visitCsv(
  deps: VisitExportDeps,
  { actor, eventId, period, at }: VisitExportInput,
): Promise<{ readonly report: Report; readonly file: ReadableStream<Uint8Array> }> {
  const result = await report(deps, { actor, scope: { kind: "event", id: eventId }, period, at });
  const { objectNames, recent } = await deps.rooms.parts(eventId).catch((cause) => {
    throw new AppError({
      kind: "unavailable",
      code: "visits_unavailable",
      message: "the event's room did not respond",
      userMessage: { key: "analytics:visitsUnavailable" },
      cause,
    });
  });
  const { days } = result.period;
  const names = new Map(
    [result.tags, result.media, result.products]
      .flat()
      .map(({ id, name }) => [id, nameInBothLanguages(name)]),
  );
  const csv = await deps.csv();
  const lines = async function* () {
    // Without this byte order mark, spreadsheets read a file in the encoding of the machine.
    yield `\ufeff${csv.line(COLUMNS)}`;
    for await (const part of readAllParts()) {
      const day = dayOfHour(part.hour);
      if (days && (day < days.from || day > days.to)) continue;
      let text = "";
      for (const cells of listRows(part, names)) text += csv.line(cells);
      yield text;
    }
  };
  const readAllParts = async function* (): AsyncGenerator<StoredPart> {
    for (const name of objectNames) {
      const day = name.slice(0, 10);
      // The days of a time zone begin up to a day before or after those of UTC.
      if (days && (day < addDays(days.from, -1) || day > addDays(days.to, 1))) continue;
      const stream = await deps.visitArchives.readObject(eventId, name);
      if (stream) yield* readParts(stream);
    }
    yield* readParts(recent);
  };
  return { report: result, file: byteStream(lines()) };
}

function* listRows(
  { at, hour, visitor, visit, part, traits, things: items, stays }: StoredPart,
  names: ReadonlyMap<string, string>,
): Generator<readonly (string | number | null)[]> {
  const { lang, device, country, from } = traits;
  const visitCells = [
    new Date(at).toISOString(),
    hour,
    visitor,
    visit,
    part,
    lang,
    device,
    country,
    from ?? "",
  ];
  if (items.length + stays.length === 0) yield [...visitCells, "", "", "", "", null];
  for (const { act, id, title } of items)
    yield [...visitCells, act, id, names.get(id) ?? title?.text ?? "", "", null];
  for (const { place, seconds } of stays) yield [...visitCells, "stay", "", "", place, seconds];
}

/** Reads compressed parts, one JSON object a line. */
async function* readParts(stream: ReadableStream<Uint8Array>): AsyncGenerator<StoredPart> {
  const reader = stream
    .pipeThrough(new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>)
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let partialLine = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (partialLine + value).split("\n");
    partialLine = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as StoredPart;
  }
}

/** Sends texts as bytes as fast as they are received. */
function byteStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => texts.return(undefined).then(() => {}),
  });
}
