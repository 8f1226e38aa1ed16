/** Creates an event with as many tags and media as a large exhibition, over the API as an owner would. */
import { gzipSync } from "node:zlib";
import { sessionCookieName } from "../../app/domain/auth/session";
import { EVENT_STATUS } from "../../app/domain/events/status";
import { demoData, demoIds } from "../../seed/demo";

/** Number of tags and media items of the event in a browser. */
export const LARGE_EVENT = { tags: 500, media: 100 } as const;
/** Number of tags and media items of the event whose page is rendered cold. */
export const HUGE_EVENT = { tags: 1000, media: 200 } as const;
/** Commands per call. */
const COMMANDS_PER_CALL = 100;

/** The created event. */
export interface LargeEvent {
  readonly id: string;
  /** The link for visitors. */
  readonly url: string;
  /** Gzip bytes of its page with all tags and media, without files. */
  readonly pageBytes: number;
}

const text = (ja: string, en: string) => ({ ja, en });
/** The rooms of the demo's model, in metres. */
const ROOMS = [
  { x: [-3.5, 3.5], z: [4.5, 9.5] },
  { x: [-5.5, 5.5], z: [-5.8, 3.2] },
  { x: [6.8, 10.8], z: [-0.4, 3.2] },
  { x: [6.8, 10.8], z: [-5.8, -1.7] },
] as const;

/** Positions all over the rooms, the same in every run. */
function positionOf(index: number): [number, number, number] {
  const { x, z } = ROOMS[index % ROOMS.length] ?? ROOMS[0];
  // Fractional parts of irrational multiples are evenly distributed, without rows.
  const fraction = (step: number) => (index * step) % 1;
  return [
    x[0] + (x[1] - x[0]) * fraction(0.618034),
    0.6 + 1.6 * fraction(0.754878),
    z[0] + (z[1] - z[0]) * fraction(0.56984),
  ];
}

/**
 * Creates the event in the demo's model.
 * @param sessionTicket session ticket of the demo's owner
 */
export async function createLargeEvent(
  origin: string,
  sessionTicket: string,
  size: { readonly tags: number; readonly media: number } = LARGE_EVENT,
): Promise<LargeEvent> {
  const headers = {
    "content-type": "application/json",
    cookie: `${sessionCookieName(false)}=${sessionTicket}`,
    origin,
  };
  async function call<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
  const event = await call<{ uuid: string; access_token: string }>("/api/v1/events.json/", {
    space_uuid: demoIds.showroom,
    event_name: `${size.tags} tags ${crypto.randomUUID().slice(0, 8)}`,
    status_id: EVENT_STATUS.published,
    enable_auto_change_status: false,
  });
  const items = demoData(0).media.filter(({ eventId }) => eventId === demoIds.mainEvent);
  const commands = [
    ...Array.from({ length: size.tags }, (_, index) => ({
      op: "create_tag",
      uuid: crypto.randomUUID(),
      values: {
        title: text(`展示 ${index}番の作品`, `Exhibit ${index}`),
        body: text(
          `**展示物**の説明です。${index}番目の作品は、木と紙と藍で作られています。`,
          `Of wood, number ${index}.`,
        ),
        keywords: [`棚${index % 12}`],
        position: positionOf(index),
      },
    })),
    ...Array.from({ length: size.media }, (_, index) => ({
      op: "create_media",
      uuid: crypto.randomUUID(),
      values: {
        library_item_uuid: items[index % items.length]?.libraryItemId,
        title: text(`資料 ${index}`, `Document ${index}`),
        description: text("展覧会の資料です。", "Of the exhibition."),
        hidden: false,
      },
    })),
  ];
  for (let from = 0; from < commands.length; from += COMMANDS_PER_CALL) {
    const { results } = await call<{ results: readonly { ok: boolean }[] }>(
      `/api/v1/events/${event.uuid}/content`,
      { commands: commands.slice(from, from + COMMANDS_PER_CALL) },
    );
    const rejected = results.find(({ ok }) => !ok);
    if (rejected) throw new Error(`A command was rejected: ${JSON.stringify(rejected)}`);
  }
  const url = `${origin}/event/published/${event.uuid}?token=${event.access_token}`;
  const html = await (await fetch(url)).text();
  return { id: event.uuid, url, pageBytes: gzipSync(html).length };
}
