/** Writes the description of a package as JSON. package.schema.ts reads it. */
import { type Json, sceneToJson, tagToJson, viewpointToJson, webToJson } from "../content/content-json";
import { singleText } from "../events/event-texts";
import type { LibraryItem } from "../library/library-item";
import type { Event, EventMedia, EventScene, EventTag, Instant, Space, Uuid } from "../shared/model";
import {
  PACKAGE_FORMAT,
  PACKAGE_VERSION,
  type PackagedFile,
  type PackagedItem,
  type PackageKind,
} from "./package-format";

const fileToJson = (file: PackagedFile | null) =>
  file && { path: file.path, sha256: file.sha256, byte_size: file.byteSize };

const sourceToJson = (space: Pick<Space, "source" | "sid">): Json => {
  const { source } = space;
  if (source.kind === "showcase") return { kind: source.kind, sid: space.sid };
  const start = viewpointToJson(source.start);
  if (source.kind === "panorama")
    return {
      kind: source.kind,
      start,
      nodes: source.nodes.map(({ id, mediaId, title, position, heading, links }) => ({
        id,
        media_uuid: mediaId,
        title,
        position,
        heading,
        links,
      })),
    };
  const { kind, mediaId, eyeHeight } = source;
  return {
    kind,
    media_uuid: mediaId,
    start,
    eye_height: eyeHeight,
    ...("up" in source && { up: source.up }),
    ...("display" in source && source.display && { display: source.display }),
    ...(source.kind === "model" && source.light && { light: source.light }),
    ...(source.kind === "model" && source.lightPicture && { light_media_uuid: source.lightPicture.mediaId }),
  };
};

const eventToJson = (
  event: Event,
  content: {
    readonly tags: readonly EventTag[];
    readonly media: readonly EventMedia[];
    readonly scene: EventScene;
  },
) => ({
  uuid: event.id,
  event_name: singleText(event.eventName),
  names: event.eventName,
  start_date: event.startDate,
  end_date: event.endDate,
  status_id: event.statusId,
  enable_auto_change_status: event.enableAutoChangeStatus,
  event_detail: singleText(event.eventDetail),
  details: event.eventDetail,
  url_params: event.urlParams,
  sp_store_url: event.spStoreUrl,
  has_store_token: event.spAccessToken !== null,
  has_publish_password: event.hasPublishPassword,
  tags: content.tags.map(({ version: _version, ...tag }) => {
    const { event_uuid: _event, sort_order: _order, ...json } = tagToJson(tag, event.id);
    return json;
  }),
  media: content.media.map(({ id, libraryItemId, title, description, placement, hidden, createdOn }) => ({
    uuid: id,
    library_item_uuid: libraryItemId,
    title,
    description,
    placement,
    hidden,
    created_on: createdOn,
  })),
  // The records of a package have no versions: JSON omits undefined values.
  scene: sceneToJson({ ...content.scene, version: undefined as never }),
});

/** Content of a package before its files are known. The files are read while the package is written. */
export interface PackageContent {
  readonly kind: PackageKind;
  readonly space: Space;
  readonly events: readonly (Parameters<typeof eventToJson>[1] & { readonly event: Event })[];
  readonly library: readonly LibraryItem[];
}

/** Returns the description of a package. @param files files of library items, by the items' ids */
export function packageToJson(
  { kind, space, events, library }: PackageContent,
  files: ReadonlyMap<Uuid, Pick<PackagedItem, "file" | "still">>,
  exportedAt: Instant,
): Json {
  return {
    format: PACKAGE_FORMAT,
    version: PACKAGE_VERSION,
    kind,
    exported_at: exportedAt,
    space: {
      uuid: space.id,
      name: space.name,
      source: sourceToJson(space),
      poster_uuid: kind === "space" ? space.posterMediaId : null,
    },
    events: events.map(({ event, ...content }) => eventToJson(event, content)),
    library: library.map((item) => ({
      uuid: item.id,
      kind: item.kind,
      title: item.title,
      file_name: item.fileName,
      mime_type: item.mimeType,
      file: fileToJson(files.get(item.id)?.file ?? null),
      still: fileToJson(files.get(item.id)?.still ?? null),
      web: webToJson(item.web),
    })),
  };
}
