/** Builds and serves the viewer's test pages once for all test files. */
import type { TestProject } from "vitest/node";
import { serveStage } from "./serve";

declare module "vitest" {
  interface ProvidedContext {
    stage: {
      /** Origin of the test pages. */
      readonly origin: string;
    };
  }
}

export default async function setUpStage(project: TestProject): Promise<() => Promise<void>> {
  const server = await serveStage();
  project.provide("stage", { origin: server.origin });
  return () => server.close();
}
