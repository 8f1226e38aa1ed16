import { fullPlacement } from "~/domain/content/placement";
import type { SceneInput } from "~/routes/visitors/scene/scene-types";

/** A tag of an event in tests. */
export const tag = (
  id: string,
  overrides: Partial<SceneInput["tags"][number]> = {},
): SceneInput["tags"][number] => ({
  id,
  title: { ja: "題", en: "Title" },
  body: { ja: "", en: "Body" },
  color: "#123456",
  icon: "info",
  keywords: [],
  linkUrl: null,
  position: [1, 1.5, 2],
  stem: [0, 0, 0.2],
  viewpoint: null,
  mediaIds: [],
  ...overrides,
});
/** A media item of an event in tests. */
export const mediaItem = (
  id: string,
  overrides: Partial<SceneInput["media"][number]> = {},
): SceneInput["media"][number] => ({
  id,
  libraryItemId: `item-${id}`,
  kind: "image",
  title: { ja: "絵", en: "Picture" },
  description: { ja: "", en: "" },
  mimeType: "image/webp",
  byteSize: 1,
  width: 1,
  height: 1,
  duration: null,
  hasThumbnail: false,
  placement: fullPlacement({ position: [0, 1.6, 0], normal: [0, 0, 1], width: 1 }),
  web: null,
  ...overrides,
});
/** An event without content in a showcase, in Japanese. */
export const sceneInput = (overrides: Partial<SceneInput> = {}): SceneInput => ({
  lang: "ja",
  space: { name: "S", sid: "SxQL3iGyoDo", source: { kind: "showcase" }, posterMediaId: null },
  tags: [],
  media: [],
  urlParams: {},
  fileUrl: (id) => `/media/${id}`,
  ...overrides,
});
