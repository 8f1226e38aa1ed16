import { describe, expect, it } from "vitest";
import { findMessageFaults, findProductMessageFaults } from "./message-faults";

const ROUTE = 'export const handle: RouteHandle = { i18n: ["shared", "userz"] };';

describe("message faults", () => {
  it("finds keys that one language lacks, and namespaces and keys that do not exist", () => {
    const messages = {
      ja: { shared: { a: "あ", group: {} } },
      en: { shared: { group: { b: "b" } } },
    };
    const lazyImport = 'createLatePart(withMessages(["librari", "library"], () => import("./upload-tray")))';
    const modules = {
      "app/routes/users.tsx": ROUTE,
      "app/features/library/uploads/upload-tray-loader.tsx": lazyImport,
      "app/root.tsx": `t("shared:a"); t("shared:group.b"); t("shared:group.c"); t(\`shared:group.\${name}\`)`,
    };
    expect(findMessageFaults(messages, modules)).toEqual([
      'app/i18n/ja/shared.ts has no message "group.b", which the other language has.',
      'app/i18n/en/shared.ts has no message "a", which the other language has.',
      'app/routes/users.tsx names the namespace "userz", which does not exist.',
      'app/features/library/uploads/upload-tray-loader.tsx names the namespace "librari", which does not exist.',
      'app/root.tsx uses the message "shared:group.c", which no language has.',
    ]);
  });

  it("finds no faults in the product", async () => {
    expect(await findProductMessageFaults()).toEqual([]);
  });
});
