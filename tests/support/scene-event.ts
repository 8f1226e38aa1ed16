/** Creates events with tags, and reads and edits their content. */
import { type Caller, type EventJson, postEvent } from "./api/caller";
import { demoIds } from "./app/demo";

/** A viewpoint in the API's form. */
export interface ViewJson {
  readonly position: readonly number[];
  readonly yaw: number;
  readonly pitch: number;
  readonly mode: string;
}

/** The fields of an event's content in the API that these tests read. */
export interface SceneContent {
  readonly tags: readonly { readonly uuid: string; readonly version: number }[];
  readonly media: readonly { readonly uuid: string; readonly library_item_uuid: string }[];
  readonly scene: {
    readonly version: number;
    readonly start_view: ViewJson | null;
    readonly tour: readonly {
      readonly uuid: string;
      readonly tag_uuid: string | null;
      readonly viewpoint: ViewJson | null;
      readonly title: { readonly ja: string; readonly en: string };
      readonly text: { readonly ja: string; readonly en: string };
      readonly seconds: number;
    }[];
    readonly plan: {
      readonly media_uuid: string;
      readonly center: readonly [number, number];
      readonly width: number;
      readonly rotation: number;
    } | null;
  };
}

/** Reads and edits the content of one event. */
export function contentApi(owner: Caller, { uuid }: EventJson) {
  const path = `/api/v1/events/${uuid}/content`;
  const read = () => owner.api<SceneContent>("GET", path);
  return {
    read,
    scene: async () => (await read()).scene,
    edit: async (...commands: readonly object[]) => {
      const response = await owner.api<{ results: readonly { ok: boolean }[] }>("POST", path, { commands });
      if (!response.results.every(({ ok }) => ok)) throw new Error(JSON.stringify(response.results));
    },
    /** Saves values of the scene as another user would, and overwrites the saved ones. */
    setScene: async (values: object) => {
      const { version } = (await read()).scene;
      await owner.api("POST", path, { commands: [{ op: "update_scene", version, values }] });
    },
  };
}

/** A published event in a demo space, with tags called A, B, C …, a metre apart from west to east. */
export async function eventWithTags(owner: Caller, count: number, spaceId: string = demoIds.showroom) {
  const event = await postEvent(owner, spaceId, { status_id: 3, enable_auto_change_status: false });
  const content = contentApi(owner, event);
  const tags = Array.from({ length: count }, () => crypto.randomUUID() as string);
  if (count > 0)
    await content.edit(
      ...tags.map((uuid, index) => ({
        op: "create_tag",
        uuid,
        values: {
          title: { ja: String.fromCharCode(65 + index), en: String.fromCharCode(65 + index) },
          position: [index - 1, 1, 2],
        },
      })),
    );
  return { event, tags, ...content };
}

/** A tour stop in the API's form. */
export const stopFor = (tag: string | null, title: string, overrides: object = {}) => ({
  uuid: crypto.randomUUID() as string,
  tag_uuid: tag,
  viewpoint: null,
  title: { ja: title, en: title },
  text: { ja: "", en: "" },
  seconds: 8,
  ...overrides,
});
