/**
 * One web process of `--scale`, which uses the rooms (the Durable Objects) and the database of another process. Sends its origin
 * to its parent, and its CPU seconds in response to any message.
 */
import { Miniflare, type MiniflareOptions } from "miniflare";
import { workerModules } from "../../scripts/lib/build/worker-modules";
import { localOptions } from "../../scripts/lib/local/local-product";
import { type Worker, workerWithoutFileRouter } from "../bench-environment";
import { workerdSeconds } from "../workerd-time";
import { DATABASE_ENTRYPOINT, webWithHostDatabase } from "./scale-modules";

/** Options of a web process. */
export interface WebProcess {
  readonly name: string;
  /** Folder of the built web worker. */
  readonly folder: string;
  /** Name of the worker with the rooms and the database. */
  readonly host: string;
  /** Folder in which the processes find each other. */
  readonly registry: string;
  readonly secret: string;
  readonly hasRooms: boolean;
}

const { name, folder, host, registry, secret, hasRooms } = JSON.parse(process.argv[2] ?? "") as WebProcess;
const options = localOptions({
  port: 0,
  state: null,
  vars: { SESSION_SECRET: secret },
  onLog: () => {},
}) as unknown as {
  workers: [Worker & { serviceBindings: object; durableObjects?: object }];
};
const { durableObjects, ...workerOptions } = options.workers[0];
const product = {
  ...workerOptions,
  ...(hasRooms && { durableObjects }),
  ...workerModules(folder, { name: "scale.js", contents: webWithHostDatabase }),
  name,
  serviceBindings: {
    ...workerOptions.serviceBindings,
    BENCH_DATABASE: { name: host, entrypoint: DATABASE_ENTRYPOINT },
  },
} as unknown as Worker;
const web = product.assets ? workerWithoutFileRouter(product, `${name}-worker`) : product;
const mf = new Miniflare({
  ...options,
  unsafeDevRegistryPath: registry,
  workers: web === product ? [product] : [product, web],
} as unknown as MiniflareOptions);
await mf.ready;
process.on("message", () => process.send?.({ seconds: workerdSeconds() }));
process.on("disconnect", () => void mf.dispose());
process.send?.({ origin: (await mf.unsafeGetDirectURL(web.name)).origin });
