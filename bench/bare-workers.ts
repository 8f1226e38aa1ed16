/**
 * Source texts of the bare workers that the product is compared with, and of wrappers around the product. A bare worker contains only the code for
 * its one operation.
 */

/** Returns as many bytes as a page has, from memory. The first request sets the number: `/?bytes=20000`. */
export const barePage = `
let page;
const headers = { "content-type": "text/html; charset=utf-8" };
export default {
  fetch(request) {
    page ??= "x".repeat(Number(new URL(request.url).searchParams.get("bytes")));
    return new Response(page, { headers });
  },
};`;

/**
 * Returns a stored page and its headers with a fresh nonce, as the product serves a cached page: from one copy of its bytes. POST stores
 * it: the page as body, its headers as JSON in X-Headers, and its nonce in X-Nonce.
 */
export const bareNoncePage = `
let page, offsets, headers, placeholder;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const random = new Uint8Array(4096);
let used = random.length;
function freshNonce(length) {
  if (used + length > random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  let nonce = "";
  for (let at = 0; at < length; at++) nonce += alphabet[random[used++] & 63];
  return nonce;
}
export default {
  async fetch(request) {
    if (request.method === "POST") {
      placeholder = request.headers.get("x-nonce");
      headers = JSON.parse(request.headers.get("x-headers"));
      const text = await request.text();
      page = new TextEncoder().encode(text);
      offsets = [];
      const encoder = new TextEncoder();
      for (let at = text.indexOf(placeholder); at !== -1; at = text.indexOf(placeholder, at + 1)) offsets.push(encoder.encode(text.slice(0, at)).length);
      return new Response();
    }
    const nonce = freshNonce(placeholder.length);
    const body = page.slice();
    for (const at of offsets) for (let i = 0; i < nonce.length; i++) body[at + i] = nonce.charCodeAt(i);
    return new Response(body, { headers: headers.map(([name, value]) => [name, value.replaceAll(placeholder, nonce)]) });
  },
};`;

/** Returns one row of D1 by its primary key, as JSON. */
export const bareRow = (eventId: string): string => `
export default {
  async fetch(request, env) {
    const read = env.DB.prepare("SELECT id, event_name, status_id, revision FROM events WHERE id = ?");
    return Response.json(await read.bind(${JSON.stringify(eventId)}).first());
  },
};`;

/** Returns rows of D1 as JSON, padded to as many characters as the product's response has bytes: `/?bytes=1100`. */
export const bareRows = (sql: string, id: string): string => `
const headers = { "content-type": "application/json" };
export default {
  async fetch(request, env) {
    const { results } = await env.DB.prepare(${JSON.stringify(sql)}).bind(${JSON.stringify(id)}).all();
    const text = JSON.stringify(results);
    return new Response(text.padEnd(Number(new URL(request.url).searchParams.get("bytes"))), { headers });
  },
};`;

/**
 * Returns one part of one file of R2: `/?key=…` with a Range header. `&fill=…` stores a file of that many bytes instead. `&look=…`
 * also reads the row of the event with that id from D1 at the same time, and delays the response until the row has arrived.
 */
export const bareRange = `
const SLICE = 8 * 1024 * 1024;
async function fill(bucket, key, bytes) {
  const upload = await bucket.createMultipartUpload(key);
  const parts = [];
  for (let at = 0; at < bytes; at += SLICE) {
    const slice = new Uint8Array(Math.min(SLICE, bytes - at)).fill(parts.length + 1);
    parts.push(await upload.uploadPart(parts.length + 1, slice));
  }
  await upload.complete(parts);
  return new Response();
}
export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url);
    const key = searchParams.get("key");
    if (searchParams.has("fill")) return fill(env.FILES, key, Number(searchParams.get("fill")));
    const [firstByte, lastByte] = request.headers.get("range").slice("bytes=".length).split("-").map(Number);
    const look = searchParams.get("look");
    const [object] = await Promise.all([
      env.FILES.get(key, { range: { offset: firstByte, length: lastByte - firstByte + 1 } }),
      look && env.DB.prepare("SELECT revision FROM events WHERE id = ?").bind(look).raw(),
    ]);
    const headers = { "content-length": String(lastByte - firstByte + 1), "content-range": "bytes " + firstByte + "-" + lastByte + "/" + object.size };
    return new Response(object.body, { status: 206, headers });
  },
};`;

/** Runs one scrypt with the parameters of the product's passwords (functions/security/password.ts). */
export const bareHash = `
import { scrypt } from "node:crypto";
const options = { N: 16384, r: 8, p: 5, maxmem: 64 * 1024 * 1024 };
export default {
  fetch() {
    return new Promise((resolve, reject) => {
      scrypt("demo-password", "0123456789abcdef", 32, options, (error, key) =>
        error ? reject(error) : resolve(new Response(key)));
    });
  },
};`;

/** Reads the request's body and confirms it. */
export const bareRequestReader = `
export default {
  async fetch(request) {
    await request.arrayBuffer();
    return new Response(null, { status: 204 });
  },
};`;

/**
 * Makes an R2 multipart upload and nothing else: /begin, /part?id=&number= with a slice as body, /complete?id= with the slices as
 * JSON.
 */
export const bareUpload = `
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/begin") {
      const { uploadId } = await env.FILES.createMultipartUpload("bare");
      return Response.json({ id: uploadId });
    }
    const upload = env.FILES.resumeMultipartUpload("bare", searchParams.get("id"));
    if (pathname === "/part")
      return Response.json(await upload.uploadPart(Number(searchParams.get("number")), request.body));
    const { size } = await upload.complete(await request.json());
    return Response.json({ size });
  },
};`;

/** Wraps the product so that its bucket is in another process, behind the service binding HOST (`startFileHost`). */
export const withRemoteBucket = (product: string): string => `
import product from ${JSON.stringify(product)};

function bucketOf(host) {
  const callHost = async (path, query, init) => {
    const response = await host.fetch("http://host" + path + "?" + new URLSearchParams(query), init);
    if (!response.ok) throw new Error("The host returned " + response.status + " for " + path);
    return response;
  };
  const readJson = async (...request) => (await callHost(...request)).json();
  return {
    createMultipartUpload: async (key) => ({ uploadId: await readJson("/begin", { key }) }),
    resumeMultipartUpload: (key, id) => ({
      uploadPart: (number, body) => readJson("/part", { key, id, number }, { method: "PUT", body }),
      complete: (parts) => readJson("/complete", { key, id }, { method: "POST", body: JSON.stringify(parts) }),
    }),
    get: (key, { range }) => callHost("/read", { key, ...range }),
  };
}

// Created once per isolate.
let productEnv;

export default {
  fetch(request, env, ctx) {
    productEnv ??= { ...env, FILES: bucketOf(env.HOST) };
    return product.fetch(request, productEnv, ctx);
  },
};`;

/**
 * Wraps the product with a D1 binding that counts round trips and statements. GET /bench/counts returns the counts since the previous
 * such request, as `{trips, statements}`.
 */
export const withQueryCounter = (product: string): string => `
import product from ${JSON.stringify(product)};

let counts = { trips: 0, statements: 0 };
const count = (statements) => {
  counts.trips += 1;
  counts.statements += statements;
};

const originals = new WeakMap();
function countStatement(original) {
  const run = (method) => (...args) => {
    count(1);
    return original[method](...args);
  };
  const statement = {
    bind: (...values) => countStatement(original.bind(...values)),
    all: run("all"),
    raw: run("raw"),
    run: run("run"),
    first: run("first"),
  };
  originals.set(statement, original);
  return statement;
}

const countDatabase = (db) => ({
  prepare: (sql) => countStatement(db.prepare(sql)),
  batch(statements) {
    count(statements.length);
    return db.batch(statements.map((statement) => originals.get(statement)));
  },
});

// Created once per isolate, because the product keeps its services by the DB object of its environment.
let productEnv;

export default {
  fetch(request, env, ctx) {
    if (new URL(request.url).pathname === "/bench/counts") {
      const response = Response.json(counts);
      counts = { trips: 0, statements: 0 };
      return response;
    }
    productEnv ??= { ...env, DB: countDatabase(env.DB) };
    return product.fetch(request, productEnv, ctx);
  },
};`;
