import { createSocket } from "node:dgram";
import { promises as dns } from "node:dns";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isIpAddress } from "~/domain/webhooks/private-address";
import { createWebhookSender } from "../http/webhook-sender";
import { PrivateNetworkError, publicFetch } from "./public-fetch";

/** DNS records of the test server by name: IPv4 and IPv6 addresses. */
const RECORDS: Record<string, readonly string[]> = {
  "public.example": ["1.1.1.1", "2606:4700::1111"],
  "127.0.0.1.nip.io": ["127.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "both.example": ["1.1.1.1", "10.0.0.1"],
  "six.example": ["1.1.1.1", "fd00::1"],
  "mapped.example": ["::ffff:7f00:1"],
};
const changingRecord = { address: "1.1.1.1" };

const bytesOf = (address: string): Buffer => {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::");
  const groups = (addressPart: string) => (addressPart === "" ? [] : addressPart.split(":"));
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
};

/** A DNS message that answers a query for A (1) or AAAA (28) records: RFC 1035 §4. */
function createDnsResponse(query: Buffer): Buffer {
  let offset = 12;
  const labels: string[] = [];
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.subarray(offset + 1, offset + 1 + length).toString());
    offset += length + 1;
  }
  const type = query.readUInt16BE(offset + 1);
  const name = labels.join(".");
  const records = name === "changing.example" ? [changingRecord.address] : (RECORDS[name] ?? []);
  const addresses = records.filter((address) => address.includes(":") === (type === 28));
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const answers = addresses.map((address) => {
    const data = bytesOf(address);
    return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length]), data]);
  });
  return Buffer.concat([header, query.subarray(12, offset + 5), ...answers]);
}

const server = createSocket("udp4");
const resolver = new dns.Resolver({ timeout: 2000, tries: 1 });
beforeAll(async () => {
  server.on("message", (query, { port, address }) => server.send(createDnsResponse(query), port, address));
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  resolver.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const fetchedUrls: string[] = [];
let time = 0;
beforeEach(() => {
  fetchedUrls.length = 0;
  time += 10 * 60_000;
});
const send = publicFetch({
  now: () => time,
  async fetch(url) {
    fetchedUrls.push(url);
    return new Response("hello");
  },
  async resolve(hostname) {
    const noAddresses = () => [];
    const addresses = await Promise.all([
      resolver.resolve4(hostname).catch(noAddresses),
      resolver.resolve6(hostname).catch(noAddresses),
    ]);
    return addresses.flat().filter(isIpAddress);
  },
});

describe("a request to a URL that a user entered", () => {
  it.each([
    "127.0.0.1.nip.io",
    "metadata.example",
    "both.example",
    "six.example",
    "mapped.example",
    "nothing.example",
    "127.0.0.1",
    "[::1]",
    "[::ffff:10.0.0.1]",
    "0x7f000001",
  ])("is not sent to %s", async (host) => {
    await expect(send(`https://${host}/`, {})).rejects.toBeInstanceOf(PrivateNetworkError);
    expect(fetchedUrls).toEqual([]);
  });

  it("is sent to a name that has only public addresses", async () => {
    expect(await (await send("https://public.example/a", {})).text()).toBe("hello");
    expect(fetchedUrls).toEqual(["https://public.example/a"]);
  });

  it("is not checked if it was aborted before it began", async () => {
    const lookups: string[] = [];
    const failingFetch = publicFetch({
      now: () => time,
      fetch: async () => new Response(),
      async resolve(hostname) {
        lookups.push(hostname);
        throw new Error("no DNS");
      },
    });
    await expect(
      failingFetch("https://public.example/", { signal: AbortSignal.abort(new Error("given up")) }),
    ).rejects.toThrow("given up");
    expect(lookups).toEqual([]);
  });

  it("is checked again a minute after the last check", async () => {
    await send("https://changing.example/", {});
    changingRecord.address = "127.0.0.1";
    time += 61_000;
    await expect(send("https://changing.example/", {})).rejects.toBeInstanceOf(PrivateNetworkError);
  });

  it("is reported for a webhook as an unreachable endpoint", async () => {
    const deliver = createWebhookSender({ fetch: send });
    expect(await deliver("https://127.0.0.1.nip.io/hook", {}, "{}")).toEqual({
      outcome: "network",
      status: null,
      answer: "",
    });
    expect(fetchedUrls).toEqual([]);
  });
});
