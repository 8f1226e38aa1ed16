/** Starts the built product once for all browser tests: in memory, with the demo, and no way out to other machines. */

import { Response } from "miniflare";
import type { TestProject } from "vitest/node";
import { buildProduct } from "../../scripts/lib/build";
import { startLocal } from "../../scripts/lib/local";
import { seedDemo } from "../../scripts/lib/seed";
import { askProvider } from "./web-providers";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the product answers, for example http://localhost:41234. */
    origin: string;
    /** When the demo was made, in milliseconds since 1970. */
    seededAt: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildProduct({ quiet: true });
  const local = await startLocal({
    port: 0,
    state: null,
    // Providers of web media answer here, as they do there; everybody else is nobody.
    outbound: ({ url }) => {
      const { body, ...init } = askProvider(url) ?? {
        status: 502,
        headers: {},
        body: `Refused: ${new URL(url).host}`,
      };
      return new Response(body, init);
    },
  });
  const seededAt = Date.now();
  try {
    await seedDemo(local.mf, () => {}, seededAt);
  } catch (error) {
    await local.stop();
    throw error;
  }
  project.provide("origin", local.origin);
  project.provide("seededAt", seededAt);
  return () => local.stop();
}
