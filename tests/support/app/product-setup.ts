/** Starts the built product once for the tests in tests/e2e, with the demo and without access to other machines. */

import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { buildProduct } from "../../../scripts/lib/build/build";
import { startNetwork } from "../../../scripts/lib/local/network";
import { DemoStore } from "../../../seed/store/store";
import { respondAsProvider } from "../external/web-providers";
import { handleWebhook, RECEIVER_HOST } from "../external/webhook-endpoint";
import { SNAPSHOT_VARIABLE, seededAt, seedSnapshot, startFromSnapshot } from "./seeded-snapshot";

declare module "vitest" {
  interface ProvidedContext {
    /** Origin of the product, for example http://localhost:41234. */
    origin: string;
    /** Time of seeding, in milliseconds since 1970. */
    seededAt: number;
    /** Folder of the snapshot from which test products start (tests/support/app/seeded-snapshot.ts). */
    snapshotFolder: string;
  }
}

export default async function setUpProduct(project: TestProject): Promise<() => Promise<void>> {
  await buildProduct({ quiet: true });
  const existingSnapshot = process.env[SNAPSHOT_VARIABLE];
  const snapshotFolder = existingSnapshot ?? (await seedSnapshot());
  // The demo store, the web media providers and a webhook receiver are simulated. Requests to other hosts result in 502.
  const network = await startNetwork((store) => async (request) => {
    const { host } = new URL(request.url);
    if (DemoStore.isHost(host)) return store.handle(request);
    if (host === RECEIVER_HOST) return handleWebhook(request);
    const { body, ...init } = respondAsProvider(request.url) ?? {
      status: 502,
      headers: {},
      body: `Refused: ${host}`,
    };
    return new Response(body, init);
  });
  const local = await startFromSnapshot(snapshotFolder, {
    outbound: { proxy: network.proxy },
    vars: network.vars,
  });
  project.provide("origin", local.origin);
  project.provide("seededAt", seededAt(snapshotFolder));
  project.provide("snapshotFolder", snapshotFolder);
  return async () => {
    await local.stop();
    await network.stop();
    if (!existingSnapshot) rmSync(snapshotFolder, { recursive: true, force: true });
  };
}
