/** Starts the built product once for all browser tests: with the demo, and no way out to other machines. */

import { rmSync } from "node:fs";
import { Response } from "miniflare";
import type { TestProject } from "vitest/node";
import { buildProduct } from "../../scripts/lib/build";
import { FILLED_VARIABLE, fill, seededAt, startFilled } from "./filled";
import { askProvider } from "./web-providers";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the product answers, for example http://localhost:41234. */
    origin: string;
    /** When the demo was made, in milliseconds since 1970. */
    seededAt: number;
    /** The folder from which products with the demo start (tests/support/filled.ts). */
    filled: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildProduct({ quiet: true });
  const given = process.env[FILLED_VARIABLE];
  const filled = given ?? (await fill());
  const local = await startFilled(filled, {
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
  project.provide("origin", local.origin);
  project.provide("seededAt", seededAt(filled));
  project.provide("filled", filled);
  return async () => {
    await local.stop();
    if (!given) rmSync(filled, { recursive: true, force: true });
  };
}
