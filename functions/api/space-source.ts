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
 * The source of a body: {source: {kind, …}}, angles in radians, or {sid} alone for a showcase.
 * @throws InvalidError; its code is invalid_showcase_id (§8) when that is what is wrong
 */
export async function checkSource(body: Readonly<Record<string, unknown>>): Promise<SourceInput> {
  const isNamed = body.source !== undefined && (body.source !== null || body.sid === undefined);
  const value = isNamed ? rename(body.source) : { kind: "showcase", showcase: body.sid };
  try {
    return (await check(z.object({ source: createSourceSchema() }), { source: value })).source;
  } catch (error) {
    if (!(error instanceof InvalidError) || !("source.showcase" in error.fields)) throw error;
    const fields = isNamed ? error.fields : { sid: error.fields["source.showcase"] ?? [] };
    throw new InvalidError(fields, "invalid_showcase_id");
  }
}
