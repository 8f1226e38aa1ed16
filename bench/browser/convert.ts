/** Measures the conversion of large files, and the time to the first frame, also on a slow network. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { sessionCookieName } from "../../app/domain/auth/session";
import { EVENT_STATUS } from "../../app/domain/events/status";
import { launchBrowser } from "../../scripts/lib/browser";
import { demoLink } from "../../scripts/lib/local/demo-links";
import { startLocal } from "../../scripts/lib/local/local-product";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { demoIds } from "../../seed/demo";
import { logInOwner } from "../load/scenarios";
import { sendToProduct } from "../send-file";
import { percentile } from "../spread";
import { capturedSplats, photographedPanorama, scannedModel } from "./conversion-inputs";

/** Bandwidth in bytes per second and latency in milliseconds of a slow network. */
const SLOW_NETWORK = { bytes: 500_000, latencyMs: 40 } as const;
/** Maximum time until a space is visible, and until a conversion is stored, in milliseconds. */
const VISIT_PATIENCE_MS = 400_000;
const CONVERSION_PATIENCE_MS = 1_500_000;
/** Time between two queries for the state of a conversion, in milliseconds. */
const POLL_MS = 2000;

interface FileMetadata {
  readonly bytes: number;
  readonly triangles?: number;
  readonly splats?: number;
  readonly graphics_bytes?: number;
}

/** Figures of one converted file. */
export interface ConversionFigures {
  readonly key: string;
  /** Milliseconds from the opening of the owner's page until the files are stored. */
  readonly convertedMs: number;
  readonly before: FileMetadata;
  readonly after: FileMetadata;
  /** Bytes of the smaller version that is shown first; null when there is none. */
  readonly previewBytes: number | null;
}

/** Milliseconds until the first frame on the slow network; null when no frame appeared in time. */
export interface SlowFrame {
  readonly key: string;
  /** Figure for the file that visitors receive after the conversion. */
  readonly prepared: number | null;
  /** Figure for the uploaded file; null when visitors receive the uploaded file itself. */
  readonly original: number | null;
}

/** Figures of all conversions and first frames. */
export interface ConvertFigures {
  readonly large: ConversionFigures;
  /** Median milliseconds until the first frame without a network limit. */
  readonly firstFrame: { readonly demo: number; readonly large: number; readonly runs: number };
  readonly converted: readonly ConversionFigures[];
  readonly slow: readonly SlowFrame[];
}

/**
 * Measures the milliseconds until a visitor with an empty cache sees a space.
 * @returns null when the space is not visible in time
 */
async function measureFirstFrame(browser: Browser, url: string, isSlow: boolean): Promise<number | null> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    if (isSlow) {
      const client = await context.newCDPSession(page);
      await client.send("Network.enable");
      await client.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: SLOW_NETWORK.latencyMs,
        downloadThroughput: SLOW_NETWORK.bytes,
        uploadThroughput: SLOW_NETWORK.bytes,
      });
    }
    const startedAt = performance.now();
    await page.goto(url, { timeout: VISIT_PATIENCE_MS, waitUntil: "commit" });
    const isSeen = await page
      .waitForSelector('section[data-stage="ready"]', { timeout: VISIT_PATIENCE_MS })
      .then(() => true)
      .catch(() => false);
    return isSeen ? performance.now() - startedAt : null;
  } finally {
    await context.close();
  }
}

/**
 * Measures conversions and first frames.
 * @param runs number of visits of each space whose first frames are compared
 */
export async function benchConversions(runs: number, log: (line: string) => void): Promise<ConvertFigures> {
  const state = mkdtempSync(join(tmpdir(), "hiroba-conversions-"));
  const local = await startLocal({ port: 0, state });
  const browser = await launchBrowser();
  try {
    await seedDemo(local.mf);
    const db = await local.mf.getD1Database("DB");
    await db.prepare("UPDATE users SET storage_limit = 1000000000000, space_license = 100").run();
    const { origin } = local;
    const sessionTicket = await logInOwner(new URL(origin));
    const call = async <T>(path: string, body?: unknown): Promise<T> => {
      const response = await fetch(origin + path, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${sessionTicket}`,
          "content-type": "application/json",
          connection: "close",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    };

    /** Uploads a file, and creates a space from it with an event. */
    const createSpaceAndEvent = async (
      name: string,
      file: Uint8Array,
      createSource: (id: string) => object,
    ) => {
      const id = await sendToProduct(new URL(origin), sessionTicket, file, name);
      const space = await call<{ uuid: string }>("/api/v1/spaces", { name, source: createSource(id) });
      const event = await call<{ uuid: string; access_token: string }>("/api/v1/events.json/", {
        space_uuid: space.uuid,
        event_name: `Published: ${name}`,
        status_id: EVENT_STATUS.published,
        enable_auto_change_status: false,
      });
      return { id, url: `${origin}/event/published/${event.uuid}?token=${event.access_token}` };
    };

    /** Opens the owner's page of a file, which converts it. */
    const convert = async (key: string, id: string): Promise<ConversionFigures> => {
      const context = await browser.newContext();
      try {
        await context.addCookies([{ name: sessionCookieName(false), value: sessionTicket, url: origin }]);
        const page = await context.newPage();
        const startedAt = performance.now();
        await page.goto(`${origin}/library/items/${id}`, { timeout: VISIT_PATIENCE_MS, waitUntil: "commit" });
        for (;;) {
          const preparation = await call<{
            readonly state: string;
            readonly code: string | null;
            readonly before: FileMetadata | null;
            readonly after: FileMetadata | null;
            readonly preview_url: string | null;
          }>(`/api/v1/media/${id}/preparation`);
          const ms = performance.now() - startedAt;
          if (preparation.state === "done" && preparation.before && preparation.after) {
            const preview =
              preparation.preview_url &&
              (await fetch(origin + preparation.preview_url, {
                headers: { cookie: `${sessionCookieName(false)}=${sessionTicket}`, connection: "close" },
              }));
            if (preview && !preview.ok) throw new Error(`The preview of ${key} returned ${preview.status}.`);
            const previewBytes = preview ? (await preview.arrayBuffer()).byteLength : null;
            return {
              key,
              convertedMs: ms,
              before: preparation.before,
              after: preparation.after,
              previewBytes,
            };
          }
          if (preparation.state !== "waiting" || ms > CONVERSION_PATIENCE_MS)
            throw new Error(`${key} was not converted: ${preparation.state}, ${preparation.code}`);
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
      } finally {
        await context.close();
      }
    };

    const demoUrl = (eventId: string) => demoLink(origin, "published", eventId);
    const slowFrames: SlowFrame[] = [];
    for (const [key, eventId] of [
      ["demo, model", demoIds.mainEvent],
      ["demo, panorama", demoIds.panoramaEvent],
      ["demo, splats", demoIds.splatEvent],
    ] as const) {
      slowFrames.push({
        key,
        prepared: await measureFirstFrame(browser, demoUrl(eventId), true),
        original: null,
      });
      log(JSON.stringify(slowFrames.at(-1)));
    }
    const modelSource = (id: string) => ({ kind: "model", media_uuid: id });
    log("Conversions: a model of five million triangles");
    const scan = await createSpaceAndEvent("Scan.glb", await scannedModel(1582, 4), modelSource);
    const large = await convert("model of 5 million triangles", scan.id);
    log(JSON.stringify(large));
    const frames: { demo: number; large: number }[] = [];
    // The first visit is discarded because the server is cold.
    for (let run = -1; run < runs; run++) {
      const pair = {
        demo: await measureFirstFrame(browser, demoUrl(demoIds.mainEvent), false),
        large: await measureFirstFrame(browser, scan.url, false),
      };
      if (pair.demo === null || pair.large === null) throw new Error("A space did not become visible.");
      log(JSON.stringify(pair));
      if (run >= 0) frames.push({ demo: pair.demo, large: pair.large });
    }
    const median = (values: readonly number[]) =>
      percentile(
        [...values].sort((a, b) => a - b),
        0.5,
      );

    const converted: ConversionFigures[] = [];
    for (const [key, name, file, createSource] of [
      ["model", "Model.glb", await scannedModel(700, 2), modelSource],
      [
        "panorama",
        "Panorama.jpg",
        await photographedPanorama(12_000),
        (id: string) => ({
          kind: "panorama",
          nodes: [{ id: "a", media_uuid: id, position: [0, 1.6, 0], links: [] }],
        }),
      ],
      [
        "splats",
        "Capture.splat",
        capturedSplats(1_560_000),
        (id: string) => ({ kind: "splat", media_uuid: id }),
      ],
    ] as const) {
      log(`Conversions: ${key}, ${(file.length / 1e6).toFixed(1)} MB`);
      const { id, url } = await createSpaceAndEvent(name, file, createSource);
      const original = await measureFirstFrame(browser, url, true);
      converted.push(await convert(key, id));
      slowFrames.push({ key, prepared: await measureFirstFrame(browser, url, true), original });
      log(JSON.stringify([converted.at(-1), slowFrames.at(-1)]));
    }
    const medianOf = (side: "demo" | "large") => median(frames.map((frame) => frame[side]));
    return {
      large,
      firstFrame: { demo: medianOf("demo"), large: medianOf("large"), runs },
      converted,
      slow: slowFrames,
    };
  } finally {
    await browser.close();
    await local.stop();
    rmSync(state, { recursive: true, force: true });
  }
}
