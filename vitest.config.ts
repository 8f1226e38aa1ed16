import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const alias = {
  "~": fileURLToPath(new URL("./app", import.meta.url)),
  "#functions": fileURLToPath(new URL("./functions", import.meta.url)),
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["{app,bench,functions,scripts,seed,tests}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.worker.test.ts", "**/*.browser.test.ts"],
          environment: "node",
        },
      },
      {
        resolve: { alias },
        test: {
          name: "worker",
          include: ["{functions,tests}/**/*.worker.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "browser",
          include: ["tests/**/*.browser.test.ts"],
          globalSetup: "tests/support/product-setup.ts",
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
    ],
  },
});
