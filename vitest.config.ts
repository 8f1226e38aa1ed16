import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const alias = {
  "~": fileURLToPath(new URL("./app", import.meta.url)),
  "#functions": fileURLToPath(new URL("./functions", import.meta.url)),
};

/**
 * Aliases of unit tests. As in the worker (scripts/lib/build/build.ts), they use React's browser renderer instead of the one for Node, and no ASN.1
 * packages.
 */
const unitAliases = [
  ...Object.entries(alias).map(([find, replacement]) => ({ find, replacement })),
  { find: "react-dom/server", replacement: "react-dom/server.browser" },
  {
    find: /^@peculiar\/(x509|asn1-.*)$/,
    replacement: fileURLToPath(new URL("./functions/security/asn-parser.ts", import.meta.url)),
  },
];

/** Options of browser tests. They run one after the other, because parallel ones would only wait for the processor. */
const browser = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  fileParallelism: false,
  maxWorkers: 1,
  // Test files share imported modules and browsers (tests/support/browser/visit.ts).
  isolate: false,
  // Polls long enough for a busy machine.
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: unitAliases },
        test: {
          name: "unit",
          include: ["{app,bench,functions,scripts,seed,tests}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.worker.test.ts", "**/*.browser.test.ts"],
          environment: "node",
          isolate: false,
          // Aliases do not apply inside packages that are not listed here.
          server: { deps: { inline: ["@simplewebauthn/server"] } },
          setupFiles: "tests/support/no-console-errors.ts",
          // Property tests run many times, possibly on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "worker",
          include: ["{functions,tests}/**/*.worker.test.ts"],
          testTimeout: 90_000,
          hookTimeout: 120_000,
          // Files of one process share modules and one workerd (tests/support/app/test-bindings.ts), because starting both again takes longer
          // than the tests.
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "stage",
          include: ["tests/{kit,viewer}/**/*.browser.test.ts"],
          globalSetup: "tests/viewer/stage-setup.ts",
          ...browser,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "browser",
          include: ["tests/e2e/**/*.browser.test.ts"],
          globalSetup: "tests/support/app/product-setup.ts",
          ...browser,
        },
      },
    ],
  },
});
