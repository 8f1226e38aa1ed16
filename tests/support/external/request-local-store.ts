/**
 * Requests the name of a local store with the store client and the local network, as the locally running product does. It runs as a separate process, because Node reads NODE_EXTRA_CA_CERTS only at its start.
 */
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { createStoreClient } from "../../../functions/storefront/client";
import { DOCUMENTS } from "../../../functions/storefront/documents";
import { startLocalNetwork } from "../../../scripts/lib/local/network";

const [storeDomain = "", publicAccessToken = ""] = process.argv.slice(2);

/** Sends a request as workerd does: the request line contains the whole URL, and the response is the proxy's. */
const fetchThroughProxy =
  (proxy: string) =>
  (path: string, { method, headers, body }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const headerValues = Object.fromEntries(new Headers(headers));
      const [host, port] = proxy.split(":");
      const clientRequest = request({ host, port, path, method, headers: headerValues }, (result) => {
        buffer(result).then((bytes) => {
          const type = result.headers["content-type"] ?? "";
          resolve(
            new Response(new Uint8Array(bytes), {
              status: result.statusCode,
              headers: { "content-type": type },
            }),
          );
        }, reject);
      });
      clientRequest.on("error", reject);
      clientRequest.end(body);
    });

/** The store's result with these allowed hosts, or with those of the environment by default. */
async function requestShop(allowedHosts?: string) {
  const network = await startLocalNetwork(allowedHosts);
  const fetch = fetchThroughProxy(network.proxy);
  const sleep = async () => {};
  const client = createStoreClient({ storeDomain, publicAccessToken, fetch, now: Date.now, sleep });
  const result = await client.request<{ shop: { name: string } }>(DOCUMENTS.shop).then(
    ({ shop }) => ({ name: shop.name }),
    ({ code }: { code?: string }) => ({ code }),
  );
  await network.stop();
  return { ...result, hosts: network.vars.DEV_STORE_HOSTS };
}

process.stdout.write(JSON.stringify({ allowedHost: await requestShop(), otherHost: await requestShop("") }));
