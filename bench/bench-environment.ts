/**
 * Starts everything that is measured in one workerd: the product and the bare workers (with the code for one operation only), each with a socket
 * of its own. A hot page is in the isolate's cache; a cold page must be rendered.
 */
import { Miniflare, type MiniflareOptions, type WorkerOptions } from "miniflare";
import type { Uuid } from "../app/domain/shared/model";
import { ENTRY, workerModules } from "../scripts/lib/build/worker-modules";
import { demoLink } from "../scripts/lib/local/demo-links";
import { localOptions, migrate } from "../scripts/lib/local/local-product";
import { startLocalNetwork } from "../scripts/lib/local/network";
import { seedDemo } from "../scripts/lib/local/seed-demo";
import { fromRoot } from "../scripts/lib/paths";
import { demoIds } from "../seed/demo";
import { bareHash, bareNoncePage, barePage, bareRow, withQueryCounter } from "./bare-workers";
import { copyEventRows } from "./load/event-copies";
import { bundleSkeleton } from "./skeleton/bundle";

/**
 * Number of copies of the main event: more than an isolate caches, so that each copy is cold again at its next turn, and three times
 * COLD_REQUESTS, because `--cpu` requests three kinds of cold pages.
 */
const COPIES = 600;

/** The started workers and the records that the measurements request. */
export interface BenchEnvironment {
  /** The product as `npm start` serves it. */
  readonly served: URL;
  /** Whether Miniflare's simulation of Cloudflare's router for static files is in front of `served`. */
  readonly routed: boolean;
  /** The product's worker without that router, which is not part of the product and takes longer than a cached page. */
  readonly worker: URL;
  /** The same worker in an isolate of its own, for pages that must be cold. It counts its D1 queries. */
  readonly counted: URL;
  /** The bare worker with as many bytes as the viewer page: on its own socket, and behind the same router as `served`. */
  readonly barePage: URL;
  readonly barePageServed: URL;
  /** The bare worker with the bytes and headers of the viewer page, and a fresh nonce. */
  readonly bareNoncePage: URL;
  readonly bareRow: URL;
  readonly bareHash: URL;
  /** The smallest worker that renders a page with Remix. */
  readonly skeleton: URL;
  /** Path and query of the public link of the main event, and of its copies. */
  readonly viewerPath: string;
  readonly copyPaths: readonly string[];
  /** A library item of the main event with a file of at least `RANGE_BYTES`. */
  readonly fileId: Uuid;
  /** The tags of the main event. */
  readonly tagIds: readonly Uuid[];
  /** The inspector of the workers. */
  readonly inspector: URL;
  /** Copies an event, and returns the paths and queries of the public links of the copies. */
  copyEvent(eventId: Uuid, token: string, count: number): Promise<string[]>;
  stop(): Promise<void>;
}

/** Number of bytes that a range request asks for. */
export const RANGE_BYTES = 65_536;

/** Options of a worker in Miniflare, with those that its published types lack. */
export type Worker = WorkerOptions & {
  name: string;
  assets?: object;
  d1Databases?: unknown;
  r2Buckets?: unknown;
};

const SOCKET = [{ host: "127.0.0.1", port: 0 }];

/** A worker with a socket of its own. */
export function bareWorker(name: string, contents: string, extraOptions: object = {}): Worker {
  return {
    name,
    compatibilityDate: "2026-07-01",
    compatibilityFlags: ["nodejs_compat"],
    modules: [{ type: "ESModule", path: `${name}.js`, contents }],
    unsafeDirectSockets: SOCKET,
    ...extraOptions,
  } as Worker;
}

/** The product's worker without the static file router. Its static files are behind the same binding. */
export function workerWithoutFileRouter(product: Worker, name: string, extraOptions: object = {}): Worker {
  const { assets, serviceBindings, ...workerRest } = product as Worker & { serviceBindings?: object };
  return {
    ...workerRest,
    serviceBindings: assets ? { ...serviceBindings, ASSETS: product.name } : serviceBindings,
    name,
    unsafeDirectSockets: SOCKET,
    ...extraOptions,
  } as Worker;
}

/** The product's worker in an isolate of its own. It counts its D1 queries. */
export function countedWorker(product: Worker): Worker {
  const wrapper = { name: "counted.js", contents: withQueryCounter(`./${ENTRY}`) };
  return workerWithoutFileRouter(product, "counted", workerModules(fromRoot("build", "worker"), wrapper));
}

/** Path and query of the demo's public link to an event, either the main one or a copy of it. */
function publicPath(eventId: Uuid): string {
  const { pathname, search } = new URL(demoLink("http://localhost", "published"));
  return pathname.replace(demoIds.mainEvent, eventId) + search;
}

/** Starts everything with the demo, in memory. The product must have been built. */
export async function startBenchEnvironment(): Promise<BenchEnvironment> {
  // The demo store runs in this process. The measured store pages are cached and query it at most once per minute.
  const network = await startLocalNetwork("");
  const outbound = { proxy: network.proxy };
  const options = localOptions({ port: 0, state: null, outbound, vars: network.vars }) as unknown as {
    workers: Worker[];
  };
  const product = options.workers[0] as Worker;
  const { assets, d1Databases } = product;
  const routed = assets !== undefined;
  const bareServedAssets = routed ? { assets: { ...assets, workerName: "bare-served" } } : {};
  const workers = [
    ...options.workers,
    ...(routed ? [workerWithoutFileRouter(product, "worker")] : []),
    countedWorker(product),
    bareWorker("bare-page", barePage),
    bareWorker("bare-served", barePage, bareServedAssets),
    bareWorker("bare-nonce", bareNoncePage),
    bareWorker("bare-row", bareRow(demoIds.mainEvent), { d1Databases }),
    bareWorker("bare-hash", bareHash),
    bareWorker("skeleton", await bundleSkeleton()),
  ];
  const mf = new Miniflare({ ...options, workers, inspectorPort: 0 } as unknown as MiniflareOptions);
  const stopAll = async () => {
    await mf.dispose();
    await network.stop();
  };
  try {
    const proxy = await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf);
    const copies = await copyEventRows(db, demoIds.mainEvent, COPIES);
    const file = await db
      .prepare(
        "SELECT i.id FROM event_media m JOIN library_items i ON i.id = m.library_item_id WHERE m.event_id = ? AND i.byte_size >= ? ORDER BY i.byte_size DESC, i.id LIMIT 1",
      )
      .bind(demoIds.mainEvent, RANGE_BYTES)
      .first<{ id: Uuid }>();
    const { results: tags } = await db
      .prepare("SELECT id FROM event_tags WHERE event_id = ?")
      .bind(demoIds.mainEvent)
      .all<{ id: Uuid }>();
    if (tags.length === 0) throw new Error("The demo's main event has no tag");
    if (!file) throw new Error("The demo's main event has no file for a range request");
    const getUrl = async (name: string): Promise<URL> => {
      const url = await mf.unsafeGetDirectURL(name);
      if (url.port === proxy.port) throw new Error(`${name} is behind Miniflare's proxy`);
      return url;
    };
    return {
      served: await getUrl(product.name),
      routed,
      worker: await getUrl(routed ? "worker" : product.name),
      counted: await getUrl("counted"),
      barePage: await getUrl("bare-page"),
      barePageServed: await getUrl("bare-served"),
      bareNoncePage: await getUrl("bare-nonce"),
      bareRow: await getUrl("bare-row"),
      bareHash: await getUrl("bare-hash"),
      skeleton: await getUrl("skeleton"),
      viewerPath: publicPath(demoIds.mainEvent),
      copyPaths: copies.map(publicPath),
      fileId: file.id,
      tagIds: tags.map(({ id }) => id),
      inspector: await mf.getInspectorURL(),
      copyEvent: async (eventId, token, count) =>
        (await copyEventRows(db, eventId, count)).map(
          (id) => `/event/published/${id}?${new URLSearchParams({ token })}`,
        ),
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
