/**
 * Asks a store of this machine for its name, as the product does when it runs here: the store's client, and the way out of a developer's machine. A
 * process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts.
 */
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { createStoreClient } from "../../functions/storefront/client";
import { DOCUMENTS } from "../../functions/storefront/documents";
import { localNetwork } from "../../scripts/lib/network";

const [storeDomain = "", publicAccessToken = ""] = process.argv.slice(2);

/** As workerd sends it: the whole address stands in the request line, and what comes back is the answer of the proxy. */
const through =
  (proxy: string) =>
  (path: string, { method, headers, body }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const names = Object.fromEntries(new Headers(headers));
      const [host, port] = proxy.split(":");
      const asked = request({ host, port, path, method, headers: names }, (answer) => {
        buffer(answer).then((bytes) => {
          const type = answer.headers["content-type"] ?? "";
          resolve(
            new Response(new Uint8Array(bytes), {
              status: answer.statusCode,
              headers: { "content-type": type },
            }),
          );
        }, reject);
      });
      asked.on("error", reject);
      asked.end(body);
    });

/** What the store answers while these hosts are named; those of the environment when left out. */
async function ask(named?: string) {
  const network = await localNetwork(named);
  const fetch = through(network.proxy);
  const sleep = async () => {};
  const client = createStoreClient({ storeDomain, publicAccessToken, fetch, now: Date.now, sleep });
  const answer = await client.request<{ shop: { name: string } }>(DOCUMENTS.shop).then(
    ({ shop }) => ({ name: shop.name }),
    ({ code }: { code?: string }) => ({ code }),
  );
  await network.stop();
  return { ...answer, hosts: network.vars.DEV_STORE_HOSTS };
}

process.stdout.write(JSON.stringify({ allowedHost: await ask(), otherHost: await ask("") }));
