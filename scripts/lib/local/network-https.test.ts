import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { generate } from "selfsigned";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEMO_STORE_TOKEN } from "../../../seed/store/hosts-and-tokens";
import { DemoStore } from "../../../seed/store/store";
import { fromRoot } from "../paths";

let folder: string;
let server: Server | undefined;
let host: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "store-"));
  const keyOptions = { keyType: "ec", algorithm: "sha256" } as const;
  const authority = await generate([{ name: "commonName", value: "An authority of this machine" }], {
    ...keyOptions,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }],
  });
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    ...keyOptions,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  writeFileSync(join(folder, "authority.pem"), authority.cert);
  const store = new DemoStore();
  const httpsServer = createServer({ cert, key }, async (incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const headerEntries = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const body = await buffer(incoming);
    const response = await store.handle(
      new Request(new URL(url, `https://${host}`), {
        method,
        headers: headerEntries,
        body: new Uint8Array(body),
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(await response.text());
  });
  server = httpsServer;
  await new Promise<void>((resolve) => httpsServer.listen(0, "127.0.0.1", resolve));
  host = `localhost:${(httpsServer.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface StoreResult {
  readonly name?: string;
  readonly code?: string;
  readonly hosts: string;
}

/**
 * Starts the network in another process with these environment variables, and returns the store's responses with its host allowed
 * and not allowed.
 */
async function requestStore(environment: Readonly<Record<string, string>>) {
  const script = fromRoot("tests", "support", "external", "request-local-store.ts");
  const args = ["--import", "tsx", script, `https://${host}`, DEMO_STORE_TOKEN];
  const { NODE_EXTRA_CA_CERTS: _, ...ownVariables } = process.env;
  const env = { ...ownVariables, DEV_STORE_HOSTS: host, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: fromRoot(), env });
  return JSON.parse(stdout) as { readonly allowedHost: StoreResult; readonly otherHost: StoreResult };
}

it("a store of this machine responds over https when its host is allowed and its authority is trusted, and otherwise not", async () => {
  const [trusted, untrusted] = await Promise.all([
    requestStore({ NODE_EXTRA_CA_CERTS: join(folder, "authority.pem") }),
    requestStore({}),
  ]);
  expect(trusted.allowedHost).toMatchObject({ name: "藍と紙 ミュージアムショップ" });
  expect(trusted.allowedHost.hosts.split(",")[0]).toBe(host);
  expect(trusted.otherHost.name).toBeUndefined();
  expect(untrusted.allowedHost).toMatchObject({ code: "network" });
});
