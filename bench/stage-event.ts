/** An event with as much in it as a large exhibition: made by the API, as an owner would make it. */
import { gzipSync } from "node:zlib";
import { sessionCookieName } from "../app/domain/auth/session";
import { demoData, demoIds } from "../seed/demo";

/** How many of each it has. */
export const CROWD = { tags: 500, media: 100 } as const;
/** Commands of one call. */
const AT_ONCE = 100;

export interface CrowdedEvent {
  readonly id: string;
  /** The link for visitors. */
  readonly url: string;
  /** Bytes of gzip of its page with all that is in it, without files. */
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

/** Places all over the rooms, the same in every run. */
function placeOf(index: number): [number, number, number] {
  const { x, z } = ROOMS[index % ROOMS.length] ?? ROOMS[0];
  // Fractions of two irrational steps lie evenly, and nowhere in rows.
  const share = (step: number) => (index * step) % 1;
  return [
    x[0] + (x[1] - x[0]) * share(0.618034),
    0.6 + 1.6 * share(0.754878),
    z[0] + (z[1] - z[0]) * share(0.56984),
  ];
}

/** Makes the event in the demo's model. @param ticket of the demo's owner */
export async function makeCrowdedEvent(origin: string, ticket: string): Promise<CrowdedEvent> {
  const headers = {
    "content-type": "application/json",
    cookie: `${sessionCookieName(false)}=${ticket}`,
    origin,
  };
  async function call<T>(path: string, body: unknown): Promise<T> {
    const answer = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
  const event = await call<{ uuid: string; access_token: string }>("/api/v1/events.json/", {
    space_uuid: demoIds.showroom,
    event_name: `${CROWD.tags} tags ${crypto.randomUUID().slice(0, 8)}`,
    status_id: 3,
    enable_auto_change_status: false,
  });
  const items = demoData(0).media.filter(({ eventId }) => eventId === demoIds.mainEvent);
  const commands = [
    ...Array.from({ length: CROWD.tags }, (_, at) => ({
      op: "create_tag",
      uuid: crypto.randomUUID(),
      values: {
        title: text(`展示 ${at}番の作品`, `Exhibit ${at}`),
        body: text(
          `**展示物**の説明です。${at}番目の作品は、木と紙と藍で作られています。`,
          `Of wood, number ${at}.`,
        ),
        keywords: [`棚${at % 12}`],
        position: placeOf(at),
      },
    })),
    ...Array.from({ length: CROWD.media }, (_, at) => ({
      op: "create_media",
      uuid: crypto.randomUUID(),
      values: {
        library_item_uuid: items[at % items.length]?.libraryItemId,
        title: text(`資料 ${at}`, `Document ${at}`),
        description: text("展覧会の資料です。", "Of the exhibition."),
        hidden: false,
      },
    })),
  ];
  for (let from = 0; from < commands.length; from += AT_ONCE) {
    const { results } = await call<{ results: readonly { ok: boolean }[] }>(
      `/api/v1/events/${event.uuid}/content`,
      { commands: commands.slice(from, from + AT_ONCE) },
    );
    const refused = results.find(({ ok }) => !ok);
    if (refused) throw new Error(`A command was refused: ${JSON.stringify(refused)}`);
  }
  const url = `${origin}/event/published/${event.uuid}?token=${event.access_token}`;
  const page = await (await fetch(url)).text();
  return { id: event.uuid, url, pageBytes: gzipSync(page).length };
}
