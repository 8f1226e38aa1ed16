/** What reads of the API cost, over a bare worker that asks D1 the same and answers as many bytes. */
import { Miniflare, type MiniflareOptions } from "miniflare";
import { localOptions, migrate } from "../scripts/lib/local";
import { localNetwork } from "../scripts/lib/network";
import { seedDemo } from "../scripts/lib/seed";
import { demoIds } from "../seed/demo";
import { bareRows } from "./bare";
import { copyEvent } from "./copies";
import { Load, type LoadRequest } from "./load";
import { countTrips, type Figure, measure, type Plan, type Trips } from "./measure";
import { alone, bareWorker, countedWorker, type Worker } from "./place";
import { CONNECTIONS, logIn, type Subject } from "./subjects";

export interface ApiFigures {
  readonly figures: readonly Figure[];
  readonly trips: readonly Trips[];
}

/** As many as one list has at most. */
const LISTED = 100;

/** The columns that the API tells of an event, and those of a space with the two that are asked of other tables. */
const EVENT = `id, space_id, event_name, start_date, end_date, status_id, enable_auto_change_status, access_token,
  preview_access_token, sp_access_token, sp_store_url, event_detail, url_params, publish_password_hash IS NOT NULL AS has_password,
  created_at, updated_at, version, revision`;
const SPACE = `id, folder_id, owner_id, group_id, name, sid, source, poster_media_id, event_count, created_at, updated_at, version,
  (SELECT coalesce(thumb_key, file_key) FROM library_items p WHERE p.id = spaces.poster_media_id AND p.deleted_at IS NULL) AS poster`;

/** Measures reads by uuid and a list of 100 events, in turns with the bare workers. The product must have been built. */
export async function benchApi(plan: Plan): Promise<ApiFigures> {
  const network = await localNetwork("");
  const outbound = { proxy: network.proxy };
  const options = localOptions({ port: 0, state: null, outbound, vars: network.vars }) as unknown as {
    workers: Worker[];
  };
  const product = options.workers[0] as Worker;
  const { assets, d1Databases } = product;
  const bare = (name: string, sql: string, id: string) =>
    bareWorker(name, bareRows(sql, id), { d1Databases });
  const space = "(SELECT space_id FROM events WHERE id = ?)";
  const workers = [
    ...options.workers,
    ...(assets === undefined ? [] : [alone(product, "worker")]),
    countedWorker(product),
    bare("bare-event", `SELECT ${EVENT} FROM events WHERE id = ?`, demoIds.mainEvent),
    bare("bare-space", `SELECT ${SPACE} FROM spaces WHERE id = ?`, demoIds.showroom),
    bare(
      "bare-events",
      `SELECT ${EVENT} FROM events WHERE space_id = ${space} AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ${LISTED}`,
      `00000001${demoIds.mainEvent.slice(8)}`,
    ),
  ];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf);
    await copyEvent(db, demoIds.mainEvent, LISTED);
    const [row] = (
      await db
        .prepare("SELECT space_id FROM events WHERE id = ?")
        .bind(`00000001${demoIds.mainEvent.slice(8)}`)
        .all<{ space_id: string }>()
    ).results;
    const worker = await mf.unsafeGetDirectURL(assets === undefined ? product.name : "worker");
    const counted = await mf.unsafeGetDirectURL("counted");
    const headers = { Authorization: `Bearer ${await logIn(worker)}` };
    const paths = {
      event: `/api/v1/events/uuid/${demoIds.mainEvent}`,
      space: `/api/v1/spaces/uuid/${demoIds.showroom}`,
      events: `/api/v1/events/space_uuid/${row?.space_id}?limit=${LISTED}`,
    };
    const names = {
      event: "an event by its uuid",
      space: "a space by its uuid",
      events: `a list of ${LISTED} events`,
    };
    const subjects: Subject[] = [];
    const ways: Record<string, LoadRequest & { headers: Record<string, string> }> = {};
    for (const key of ["event", "space", "events"] as const) {
      const base = `bare-${key}`;
      const request = { path: paths[key], headers };
      ways[`api-${key}`] = request;
      const bytes = (await (await fetch(new URL(paths[key], worker), { headers })).arrayBuffer()).byteLength;
      const shared = { connections: CONNECTIONS };
      subjects.push(
        {
          ...shared,
          key: base,
          name: `Bare worker: ${names[key]}`,
          base: null,
          load: new Load(await mf.unsafeGetDirectURL(base), [{ path: `/?bytes=${bytes}` }]),
        },
        { ...shared, key: `api-${key}`, name: `API: ${names[key]}`, base, load: new Load(worker, [request]) },
      );
    }
    const trips = await countTrips(counted, ways);
    return { figures: await measure(subjects, plan, (line) => process.stderr.write(`${line}\r`)), trips };
  } finally {
    await mf.dispose();
    await network.stop();
  }
}
