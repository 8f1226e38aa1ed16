import { z } from "zod";
import { InvalidError } from "#functions/services/errors";
import { createSourceSchema, type SourceInput } from "~/domain/space-source.schema";
import { check } from "./request";

/** The API's names of a source's fields, by those of the model. */
const FIELDS = {
  mediaId: "media_uuid",
  eyeHeight: "eye_height",
  nodeId: "node_id",
  showcase: "sid",
  posterMediaId: "poster_media_uuid",
} as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** No source is deeper than {nodes: [{title: {ja}}]}. */
const DEPTH_MAX = 6;

/** A body's part with the model's names instead of the API's; what lies deeper than any source is left as it is. */
function rename(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((part) => rename(part, depth + 1));
  if (!isRecord(value)) return value;
  const named = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, rename(part, depth + 1)]),
  );
  for (const [ours, theirs] of Object.entries(FIELDS)) if (theirs in named) named[ours] = named[theirs];
  return named;
}

/**
 * Does something with a source, and tells what is wrong with it by the API's names.
 * @throws InvalidError; its code is invalid_showcase_id (§8) when that is what is wrong
 */
export async function withApiNames<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const fields = Object.entries(error.fields).map(([path, words]) => [pathOf(path), words] as const);
    const noShowcase = fields.some(([path]) => path === "sid");
    throw new InvalidError(Object.fromEntries(fields), noShowcase ? "invalid_showcase_id" : error.code);
  }
}

/** The `source` of a body: {kind: "showcase", sid} or {kind, media_uuid, …}, angles in radians. @throws InvalidError */
export async function checkSource(value: unknown): Promise<SourceInput> {
  const { source } = await withApiNames(
    check(z.object({ source: createSourceSchema() }), { source: rename(value) }),
  );
  return source;
}

/** source.nodes[0].mediaId → source.nodes.0.media_uuid; a showcase's id stands in the body itself. */
function pathOf(path: string): string {
  if (path === "source.showcase") return "sid";
  const parts = path.replace(/\[(\d+)\]/g, ".$1").split(".");
  return parts.map((part) => FIELDS[part as keyof typeof FIELDS] ?? part).join(".");
}
