/** Measures API reads as a ratio to a bare worker that makes the same D1 query and returns about as many bytes. */
import { Miniflare, type MiniflareOptions } from "miniflare";
import { localOptions, migrate } from "../../scripts/lib/local/local-product";
import { startLocalNetwork } from "../../scripts/lib/local/network";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { demoIds } from "../../seed/demo";
import { bareRows } from "../bare-workers";
import { bareWorker, countedWorker, type Worker, workerWithoutFileRouter } from "../bench-environment";
import { countTrips, type Figure, measure, type Plan, type Trips } from "../measure";
import { copyEventRows, copyId } from "./event-copies";
import { Load, type LoadRequest } from "./load";
import { CONNECTIONS, logInOwner, type Scenario } from "./scenarios";

/** Figures of the API reads. */
export interface ApiFigures {
  readonly figures: readonly Figure[];
  readonly trips: readonly Trips[];
}

/** Number of events in the measured list. */
const LIST_SIZE = 100;

/** Columns of an event and of a space that the API returns. The space's poster comes from another table. */
const EVENT_COLUMNS = `id, space_id, name_ja, name_en, start_date, end_date, status_id, enable_auto_change_status, access_token,
  preview_access_token, sp_access_token, sp_store_url, detail_ja, detail_en, url_params, publish_password_hash IS NOT NULL AS has_password,
  created_at, updated_at, version, revision`;
const SPACE_COLUMNS = `id, folder_id, owner_id, group_id, name, sid, source, poster_media_id, event_count, created_at, updated_at, version,
  (SELECT coalesce(thumb_key, file_key) FROM library_items p WHERE p.id = spaces.poster_media_id AND p.deleted_at IS NULL) AS poster`;

/** Measures reads by uuid and a list of 100 events, alternating with the bare workers. The product must have been built. */
export async function benchApi(plan: Plan): Promise<ApiFigures> {
  const network = await startLocalNetwork("");
  const outbound = { proxy: network.proxy };
  const options = localOptions({ port: 0, state: null, outbound, vars: network.vars }) as unknown as {
    workers: Worker[];
  };
  const product = options.workers[0] as Worker;
  const { assets, d1Databases } = product;
  const createBareReader = (name: string, sql: string, id: string) =>
    bareWorker(name, bareRows(sql, id), { d1Databases });
  const spaceIdSql = "(SELECT space_id FROM events WHERE id = ?)";
  const workers = [
    ...options.workers,
    ...(assets === undefined ? [] : [workerWithoutFileRouter(product, "worker")]),
    countedWorker(product),
    createBareReader("bare-event", `SELECT ${EVENT_COLUMNS} FROM events WHERE id = ?`, demoIds.mainEvent),
    createBareReader("bare-space", `SELECT ${SPACE_COLUMNS} FROM spaces WHERE id = ?`, demoIds.showroom),
    createBareReader(
      "bare-events",
      `SELECT ${EVENT_COLUMNS} FROM events WHERE space_id = ${spaceIdSql} AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ${LIST_SIZE}`,
      copyId(demoIds.mainEvent, 1),
    ),
  ];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf);
    await copyEventRows(db, demoIds.mainEvent, LIST_SIZE);
    const [row] = (
      await db
        .prepare("SELECT space_id FROM events WHERE id = ?")
        .bind(copyId(demoIds.mainEvent, 1))
        .all<{ space_id: string }>()
    ).results;
    const workerUrl = await mf.unsafeGetDirectURL(assets === undefined ? product.name : "worker");
    const countedUrl = await mf.unsafeGetDirectURL("counted");
    const headers = { Authorization: `Bearer ${await logInOwner(workerUrl)}` };
    const paths = {
      event: `/api/v1/events/uuid/${demoIds.mainEvent}`,
      space: `/api/v1/spaces/uuid/${demoIds.showroom}`,
      events: `/api/v1/events/space_uuid/${row?.space_id}?limit=${LIST_SIZE}`,
    };
    const names = {
      event: "an event by its uuid",
      space: "a space by its uuid",
      events: `a list of ${LIST_SIZE} events`,
    };
    const scenarios: Scenario[] = [];
    const requests: Record<string, LoadRequest & { headers: Record<string, string> }> = {};
    for (const key of ["event", "space", "events"] as const) {
      const base = `bare-${key}`;
      const request = { path: paths[key], headers };
      requests[`api-${key}`] = request;
      const bytes = (await (await fetch(new URL(paths[key], workerUrl), { headers })).arrayBuffer())
        .byteLength;
      const sharedOptions = { connections: CONNECTIONS };
      scenarios.push(
        {
          ...sharedOptions,
          key: base,
          name: `Bare worker: ${names[key]}`,
          base: null,
          load: new Load(await mf.unsafeGetDirectURL(base), [{ path: `/?bytes=${bytes}` }]),
        },
        {
          ...sharedOptions,
          key: `api-${key}`,
          name: `API: ${names[key]}`,
          base,
          load: new Load(workerUrl, [request]),
        },
      );
    }
    const trips = await countTrips(countedUrl, requests);
    return { figures: await measure(scenarios, plan, (line) => process.stderr.write(`${line}\r`)), trips };
  } finally {
    await mf.dispose();
    await network.stop();
  }
}
