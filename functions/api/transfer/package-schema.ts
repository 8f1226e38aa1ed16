/** JSON Schema of a package's description (`hiroba.json`, decision 036), for programs that write or validate packages. */
import * as z from "zod";
import { EVENT_STATUS_IDS } from "~/domain/events/status";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import { PACKAGE_FORMAT, PACKAGE_KINDS, PACKAGE_VERSION } from "~/domain/transfer/package-format";
import { EventMediaItemSchema, SceneSchema, TagSchema } from "../content/content-schemas";
import { call } from "../core/call";
import {
  eventDetailFields,
  eventNameFields,
  id,
  instant,
  SourceSchema,
  WebMediaItemSchema,
} from "../core/schemas";

const fileSchema = z
  .object({
    path: z
      .string()
      .regex(/^media\/[A-Za-z0-9_-]{1,80}(?:\.[a-z0-9]{1,8})?$/)
      .nullable()
      .meta({ description: "Path in the archive; null if the archive only refers to the file by its hash." }),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    byte_size: z.int().min(1),
  })
  .meta({ id: "PackagedFile" });

const eventSchema = z
  .object({
    uuid: id,
    ...eventNameFields,
    start_date: instant.nullable(),
    end_date: instant.nullable(),
    status_id: z.union(EVENT_STATUS_IDS.map((status) => z.literal(status))),
    enable_auto_change_status: z.boolean(),
    ...eventDetailFields,
    url_params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    sp_store_url: z.string().nullable(),
    has_store_token: z
      .boolean()
      .meta({ description: "The token was not exported, and must be entered again." }),
    has_publish_password: z
      .boolean()
      .meta({ description: "The password was not exported, and must be entered again." }),
    tags: z
      .array(TagSchema.omit({ event_uuid: true, sort_order: true, version: true }).required())
      .meta({ description: "In order." }),
    media: z.array(
      EventMediaItemSchema.pick({
        uuid: true,
        library_item_uuid: true,
        title: true,
        description: true,
        placement: true,
        hidden: true,
        created_on: true,
      }).required(),
    ),
    scene: SceneSchema.omit({ version: true }),
  })
  .meta({ id: "PackagedEvent" });

const itemSchema = z
  .object({
    uuid: id,
    kind: z.enum(MEDIA_KINDS),
    title: z.string(),
    file_name: z.string().meta({ description: "Empty for web media." }),
    mime_type: z.string(),
    file: fileSchema.nullable().meta({ description: "Null for web media." }),
    // The item's thumbnail.
    still: fileSchema.nullable(),
    web: WebMediaItemSchema.nullable(),
  })
  .meta({ id: "PackagedItem" });

/** The description of a package. */
export const PackageSchema = z
  .object({
    format: z.literal(PACKAGE_FORMAT),
    version: z.literal(PACKAGE_VERSION),
    kind: z.enum(PACKAGE_KINDS),
    exported_at: instant,
    space: z
      .object({
        uuid: id,
        name: z.string(),
        source: SourceSchema,
        poster_uuid: id.nullable().meta({ description: "Only for a space." }),
      })
      .meta({ description: "For an event: the space to which its positions refer." }),
    events: z
      .array(eventSchema)
      .min(1)
      .meta({ description: "Oldest first. The package of an event contains only that event." }),
    library: z.array(itemSchema).meta({ description: "Library items that the events and the space use." }),
  })
  .meta({ title: "hiroba.json", description: "An exported event or space of Hiroba." });

/** Created once per isolate, when it is first requested. */
let cachedSchema: string | undefined;

/** The call that returns the schema. */
export const packageSchemaCalls = [
  call({
    id: "getPackageSchema",
    method: "GET",
    path: "/package.schema.json",
    tag: "packages",
    summary: "Get the JSON Schema of hiroba.json in exported files",
    who: "anyone",
    response: z.looseObject({}),
    produces: "application/schema+json",
    handle: async ({ c }) => {
      // As an input schema it allows other fields, which readers of packages ignore.
      cachedSchema ??= JSON.stringify(z.toJSONSchema(PackageSchema, { io: "input" }));
      return c.body(cachedSchema, 200, {
        "content-type": "application/schema+json",
        "cache-control": "public, max-age=60",
      });
    },
  }),
];
