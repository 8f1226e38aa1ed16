/** Builds and serves the stage's own test pages once for all files that look at them. */
import type { TestProject } from "vitest/node";
import { serveStage } from "./serve";

declare module "vitest" {
  interface ProvidedContext {
    stage: {
      /** Origin of the pages. */
      readonly origin: string;
    };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await serveStage();
  project.provide("stage", { origin: server.origin });
  return () => server.close();
}
