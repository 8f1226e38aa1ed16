/**
 * A package: an event or a space as one file, from any installation (decision 036). Its description is JSON with the API's field names.
 * Records refer to each other by the ids of the installation that exported them. An imported description is validated completely, by the
 * same rules as all other input.
 */
import * as z from "zod";
import { readCommand } from "../content/command.schema";
import type { SceneValues, TagValues } from "../content/content";
import {
  apiPath,
  mediaValuesFromJson,
  sceneValuesFromJson,
  tagValuesFromJson,
} from "../content/content-json";
import { eventDetailField } from "../events/event.schema";
import { eventNameField } from "../events/event-create.schema";
import { mergeSentText, nameKeys } from "../events/event-texts";
import { EVENT_STATUS_IDS } from "../events/status";
import { deserialiseUrlParams } from "../events/url-params";
import { COPY_RECORDS_MAX } from "../folders/tree";
import { tidyFileName } from "../library/file-name";
import { MEDIA_KINDS } from "../library/media-kinds";
import { readWebMediaItem } from "../library/oembed.schema";
import { matchProvider } from "../library/web-media";
import { field, readText } from "../shared/fields.schema";
import { isUuid } from "../shared/ids";
import { isRecord } from "../shared/is-record";
import {
  EVENT_MEDIA_MAX,
  EVENT_TAGS_MAX,
  EVENTS_PER_SPACE_MAX,
  FILE_NAME_SENT_MAX,
  MEDIA_TITLE_MAX,
  PACKAGE_DEPTH_MAX,
  PACKAGE_FILES_MAX,
  THUMBNAIL_MAX_BYTES,
  UPLOAD_MAX_BYTES,
  URL_PARAM_VALUE_MAX,
  URL_PARAMS_MAX,
} from "../shared/limits";
import type { EventStatusId, Instant, MediaKind, UrlParams, Uuid, WebMediaItem } from "../shared/model";
import { spaceNameField } from "../spaces/space.schema";
import {
  createSourceSchema,
  getLightFileId,
  listSourceFileIds,
  MEDIA_OF_SOURCE,
} from "../spaces/space-source.schema";
import { readStoreUrl } from "../store/store-url";
import {
  PACKAGE_FORMAT,
  PACKAGE_KINDS,
  PACKAGE_VERSION,
  type Package,
  type PackagedEvent,
  type PackagedFile,
  type PackagedItem,
  type PackagedMediaItem,
} from "./package-format";

/** An error in a package: its path in the description, and the key of the message. */
export interface PackageProblem {
  readonly path: string;
  readonly key: string;
}

const FILE_PATH = /^media\/[A-Za-z0-9_-]{1,80}(?:\.[a-z0-9]{1,8})?$/;
const SHA_256 = /^[0-9a-f]{64}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const INVALID = "shared-owners:errors.field.invalid";
const dateField = field<Instant | null>((value) => {
  if (value === null || value === undefined) return { value: null };
  const isDate = typeof value === "string" && ISO.test(value) && !Number.isNaN(Date.parse(value));
  return isDate ? { value } : { error: INVALID };
});
const flagField = z.boolean(INVALID);
const idField = field<Uuid>((value) => (isUuid(value) ? { value } : { error: INVALID }));
const paramsField = field<UrlParams>((value) => {
  if (!isRecord(value)) return { error: INVALID };
  const params = deserialiseUrlParams(JSON.stringify(value));
  const names = Object.keys(value);
  const hasKnownNames = names.length <= URL_PARAMS_MAX && names.every((name) => Object.hasOwn(params, name));
  const isShort = Object.values(params).every((param) => String(param).length <= URL_PARAM_VALUE_MAX);
  return hasKnownNames && isShort ? { value: params } : { error: INVALID };
});
const fileField = (max: number) =>
  z
    .object(
      {
        path: field<string | null>((value) =>
          value === null || (typeof value === "string" && FILE_PATH.test(value))
            ? { value }
            : { error: "transfer:problem.path" },
        ),
        sha256: field<string>((value) =>
          typeof value === "string" && SHA_256.test(value) ? { value } : { error: INVALID },
        ),
        byte_size: z.int(INVALID).min(1, INVALID).max(max, "library:errors.upload.tooLarge"),
      },
      INVALID,
    )
    .transform(({ path, sha256, byte_size }): PackagedFile => ({ path, sha256, byteSize: byte_size }))
    .nullable();

const itemSchema = z.object(
  {
    uuid: idField,
    kind: z.enum(MEDIA_KINDS, INVALID),
    title: field<string>((value) =>
      readText(value, { max: FILE_NAME_SENT_MAX, tooLong: INVALID, required: INVALID }),
    ),
    file_name: field<string>((value) =>
      typeof value === "string" && value.length <= FILE_NAME_SENT_MAX
        ? { value: value === "" ? "" : tidyFileName(value) }
        : { error: INVALID },
    ),
    mime_type: z.string(INVALID).max(100, INVALID),
    file: fileField(UPLOAD_MAX_BYTES),
    still: fileField(UPLOAD_MAX_BYTES),
    web: field<WebMediaItem | null>((value) => {
      if (value === null) return { value };
      const match = isRecord(value) && typeof value.url === "string" ? matchProvider(value.url) : null;
      if (!isRecord(value) || !match || "error" in match || match.provider.id !== value.provider_id)
        return { error: "transfer:problem.web" };
      const { title, author, type, player, width, height } = value;
      const isShort = [title, author].every(
        (text) => typeof text === "string" && text.length <= MEDIA_TITLE_MAX * 2,
      );
      const embed = { provider: match.provider.id, title, author, type, player, width, height };
      const web = isShort ? readWebMediaItem(match.url, embed) : null;
      const hasValidPlayer =
        web !== null &&
        (web.player === null ? web.type === "photo" : match.provider.player?.path.test(web.player) === true);
      return web && hasValidPlayer ? { value: web } : { error: "transfer:problem.web" };
    }),
  },
  INVALID,
);

const eventFields = z.object(
  {
    uuid: idField,
    names: eventNameField(),
    start_date: dateField,
    end_date: dateField,
    status_id: field<EventStatusId>((value) => {
      const status = EVENT_STATUS_IDS.find((statusId) => statusId === value);
      return status === undefined ? { error: INVALID } : { value: status };
    }),
    enable_auto_change_status: flagField,
    details: eventDetailField,
    url_params: paramsField,
    sp_store_url: z.string(INVALID).nullable(),
    has_store_token: flagField,
    has_publish_password: flagField,
    tags: z.array(z.unknown(), INVALID).max(EVENT_TAGS_MAX, "transfer:problem.tooMany"),
    media: z.array(z.unknown(), INVALID).max(EVENT_MEDIA_MAX, "transfer:problem.tooMany"),
    scene: z.unknown(),
  },
  INVALID,
);

/** Packages that were exported before texts had languages contain only `event_name` and `event_detail`. */
const eventSchema = z.preprocess(
  (raw) =>
    isRecord(raw)
      ? {
          ...raw,
          names: mergeSentText(null, raw.event_name, raw.names),
          details: mergeSentText(null, raw.event_detail, raw.details),
        }
      : raw,
  eventFields,
);

const packageSchema = z.object(
  {
    kind: z.enum(PACKAGE_KINDS, INVALID),
    space: z.object(
      {
        uuid: idField,
        name: spaceNameField,
        source: z.unknown(),
        poster_uuid: idField.nullable(),
      },
      INVALID,
    ),
    events: z
      .array(eventSchema, INVALID)
      .min(1, INVALID)
      .max(EVENTS_PER_SPACE_MAX, "transfer:problem.tooMany"),
    library: z.array(itemSchema, INVALID).max(COPY_RECORDS_MAX, "transfer:problem.tooMany"),
  },
  INVALID,
);

/** Names of a source's fields in the input of createSourceSchema, by their names in a package. */
const SOURCE_NAMES: Readonly<Record<string, string>> = {
  media_uuid: "mediaId",
  eye_height: "eyeHeight",
  light_media_uuid: "lightMediaId",
  node_id: "nodeId",
  sid: "showcase",
};
const sourceFromJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sourceFromJson);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) =>
      child === null && name === "node_id" ? [] : [[SOURCE_NAMES[name] ?? name, sourceFromJson(child)]],
    ),
  );
};

/** Whether a value has at most `max` levels of nesting. Works without recursion, since input may be nested to any depth. */
export function isShallow(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return false;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return true;
}

/** Settings of an import that the description does not contain. */
export interface PackageContext {
  /** Admits store hosts that are not public (DEV_STORE_HOSTS, for local runs). */
  readonly isAllowedLocalHost?: (host: string) => boolean;
}

/** Maximum number of messages about one package. */
const PROBLEMS_MAX = 20;

/**
 * Reads a package's description from any JSON value.
 * @returns the package, or its errors, at most PROBLEMS_MAX of them
 */
export function readPackage(
  json: unknown,
  context: PackageContext = {},
): { readonly package: Package } | { readonly problems: readonly PackageProblem[] } {
  const packageProblem = (key: string) => ({ problems: [{ path: "", key }] });
  if (!isRecord(json) || json.format !== PACKAGE_FORMAT) return packageProblem("transfer:problem.notPackage");
  if (json.version !== PACKAGE_VERSION) return packageProblem("transfer:problem.version");
  if (!isShallow(json, PACKAGE_DEPTH_MAX)) return packageProblem("transfer:problem.tooDeep");
  const parsed = packageSchema.safeParse(json);
  if (!parsed.success)
    return {
      problems: parsed.error.issues
        .slice(0, PROBLEMS_MAX)
        .map(({ path, message }) => ({ path: path.join("."), key: message })),
    };
  const problems: PackageProblem[] = [];
  const addProblem = (path: string, key: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ path, key });
  };
  const { kind, space, events: rawEvents, library: rawItems } = parsed.data;
  if (kind === "event" && rawEvents.length !== 1) addProblem("events", INVALID);

  const library = rawItems.map(
    (item): PackagedItem => ({
      id: item.uuid,
      kind: item.kind,
      title: item.title,
      fileName: item.file_name,
      mimeType: item.mime_type,
      web: item.web,
      file: item.file,
      still: item.still,
    }),
  );
  const kindsByItemId = new Map<Uuid, MediaKind>();
  const paths = new Set<string>();
  for (const [i, item] of library.entries()) {
    if (kindsByItemId.has(item.id)) addProblem(`library.${i}.uuid`, "transfer:problem.twice");
    kindsByItemId.set(item.id, item.kind);
    if ((item.kind === "web") !== (item.web !== null)) addProblem(`library.${i}.web`, INVALID);
    if ((item.kind === "web") !== (item.file === null)) addProblem(`library.${i}.file`, INVALID);
    // The image of a web media item counts as its file, and may be larger.
    if (item.kind !== "web" && (item.still?.byteSize ?? 0) > THUMBNAIL_MAX_BYTES)
      addProblem(`library.${i}.still.byte_size`, "library:errors.upload.thumbnail");
    for (const name of ["file", "still"] as const) {
      const path = item[name]?.path;
      if (!path) continue;
      if (paths.has(path)) addProblem(`library.${i}.${name}.path`, "transfer:problem.twice");
      paths.add(path);
    }
  }
  if (paths.size > PACKAGE_FILES_MAX) addProblem("library", "transfer:problem.tooMany");
  const requireReference = (path: string, id: Uuid | null, expectedKind?: MediaKind) => {
    if (id === null) return;
    const kind = kindsByItemId.get(id);
    if (kind === undefined || (expectedKind !== undefined && kind !== expectedKind))
      addProblem(path, "transfer:problem.reference");
  };

  const source = createSourceSchema().safeParse(sourceFromJson(space.source));
  if (!source.success)
    for (const { path, message } of source.error.issues)
      addProblem(["space", "source", ...path].join("."), message);
  else if (source.data.kind !== "showcase")
    for (const id of listSourceFileIds(source.data))
      requireReference(
        "space.source",
        id,
        id === getLightFileId(source.data) ? "image" : MEDIA_OF_SOURCE[source.data.kind],
      );
  requireReference("space.poster_uuid", space.poster_uuid);

  const usedNameKeys = new Set<string>();
  const usedIds = new Set<Uuid>();
  const requireUniqueId = (path: string, id: Uuid) => {
    if (usedIds.has(id)) addProblem(path, "transfer:problem.twice");
    usedIds.add(id);
  };
  let recordCount = rawItems.length + rawEvents.length;
  const events = rawEvents.map((event, i): PackagedEvent => {
    const eventPath = `events.${i}`;
    requireUniqueId(`${eventPath}.uuid`, event.uuid);
    const keys = nameKeys(event.names);
    if (keys.some((key) => usedNameKeys.has(key)))
      addProblem(`${eventPath}.names`, "events:errors.eventName.taken");
    for (const key of keys) usedNameKeys.add(key);
    if (event.start_date && event.end_date && event.start_date > event.end_date)
      addProblem(`${eventPath}.start_date`, "events:errors.startDate.afterEnd");
    const store =
      event.sp_store_url === null
        ? { origin: null }
        : readStoreUrl(event.sp_store_url, context.isAllowedLocalHost);
    if ("error" in store) addProblem(`${eventPath}.sp_store_url`, store.error);
    recordCount += event.tags.length + event.media.length;

    /** Reads a part of the event by the rules of the command `op`. */
    const readPart = (path: string, op: string, raw: unknown, values: unknown): object | null => {
      const id = isRecord(raw) ? raw.uuid : undefined;
      const command = readCommand({ op, id, values, version: 0 });
      if ("command" in command)
        return "values" in command.command ? (command.command.values as object) : null;
      for (const [name, [key = INVALID] = []] of Object.entries(command.errors))
        addProblem([path, ...(name === "" ? [] : [apiPath(name)])].join("."), key);
      return null;
    };
    const media = event.media.flatMap((raw, j): PackagedMediaItem[] => {
      const path = `${eventPath}.media.${j}`;
      const values = readPart(path, "create_media", raw, mediaValuesFromJson(raw));
      const createdOn = dateField.safeParse(isRecord(raw) ? raw.created_on : null);
      if (!createdOn.success || createdOn.data === null) addProblem(`${path}.created_on`, INVALID);
      if (values === null || !isRecord(raw) || !createdOn.success || createdOn.data === null) return [];
      const mediaItem = { ...values, id: raw.uuid as Uuid, createdOn: createdOn.data } as PackagedMediaItem;
      requireUniqueId(`${path}.uuid`, mediaItem.id);
      requireReference(`${path}.library_item_uuid`, mediaItem.libraryItemId);
      return [mediaItem];
    });
    const itemIdsByMediaId = new Map(media.map(({ id, libraryItemId }) => [id, libraryItemId]));
    const tags = event.tags.flatMap((raw, j) => {
      const path = `${eventPath}.tags.${j}`;
      const values = readPart(path, "create_tag", raw, tagValuesFromJson(raw));
      if (values === null || !isRecord(raw)) return [];
      const tag = { ...(values as TagValues), id: raw.uuid as Uuid };
      requireUniqueId(`${path}.uuid`, tag.id);
      if (!tag.mediaIds.every((id) => itemIdsByMediaId.has(id)))
        addProblem(`${path}.media_uuids`, "transfer:problem.reference");
      return [tag];
    });
    const values = readPart(`${eventPath}.scene`, "update_scene", {}, sceneValuesFromJson(event.scene));
    const scene: SceneValues = { startView: null, tour: [], plan: null, products: [], ...values };
    const tagIds = new Set(tags.map(({ id }) => id));
    for (const [j, { tagId }] of scene.tour.entries())
      if (tagId !== null && !tagIds.has(tagId))
        addProblem(`${eventPath}.scene.tour.${j}.tag_uuid`, "transfer:problem.reference");
    if (scene.plan) {
      const itemId = itemIdsByMediaId.get(scene.plan.mediaId);
      if (itemId === undefined || kindsByItemId.get(itemId) !== "image")
        addProblem(`${eventPath}.scene.plan.media_uuid`, "transfer:problem.reference");
    }
    return {
      id: event.uuid,
      eventName: event.names,
      startDate: event.start_date,
      endDate: event.end_date,
      statusId: event.status_id,
      enableAutoChangeStatus: event.enable_auto_change_status,
      eventDetail: event.details,
      spStoreUrl: "origin" in store ? store.origin : null,
      urlParams: event.url_params,
      hasStoreToken: event.has_store_token,
      hasPublishPassword: event.has_publish_password,
      tags,
      media,
      scene,
    };
  });
  if (recordCount > COPY_RECORDS_MAX) addProblem("events", "transfer:problem.tooMany");
  if (problems.length > 0 || !source.success)
    return { problems: problems.length > 0 ? problems : [{ path: "space.source", key: INVALID }] };
  return {
    package: {
      kind,
      space: { id: space.uuid, name: space.name, source: source.data, posterMediaId: space.poster_uuid },
      events,
      library,
    },
  };
}
