/** Converts a media item of an event to the texts of its form, and back. */
import type { MediaValues } from "~/domain/content/content";
import { fullPlacement } from "~/domain/content/placement";
import { formatDecimal, formatDegrees, parseDegrees, pointInput, readPoint } from "./tag-form-input";

/** Names of the fields in the form of a media item. */
export const MEDIA_ITEM_FIELDS = [
  "title.ja",
  "title.en",
  "description.ja",
  "description.en",
  "position.x",
  "position.y",
  "position.z",
  "normal.x",
  "normal.y",
  "normal.z",
  "width",
  "rotation",
  "play",
  "reach",
  "hidden",
] as const;
/** Name of a field in the form of a media item. */
export type MediaItemField = (typeof MEDIA_ITEM_FIELDS)[number];
/** The typed texts of the form's fields. */
export type MediaItemInput = Readonly<Record<MediaItemField, string>>;

const PLACE_FIELDS = MEDIA_ITEM_FIELDS.filter((name) => !/^(title|description|hidden)/.test(name));

/** Default width of a placed media item, in metres. */
export const PLACED_WIDTH = 1;

/** Returns the form's texts for a media item. */
export function mediaItemInput({ title, description, placement, hidden }: MediaValues): MediaItemInput {
  const defaultPlacement = fullPlacement({ position: [0, 0, 0], normal: [0, 0, 1], width: PLACED_WIDTH });
  const { width, rotation, play, reach } = placement ?? defaultPlacement;
  return {
    "title.ja": title.ja,
    "title.en": title.en,
    "description.ja": description.ja,
    "description.en": description.en,
    ...pointInput("position", placement?.position ?? null),
    ...pointInput("normal", placement?.normal ?? null),
    width: formatDecimal(width),
    rotation: formatDegrees(rotation),
    play,
    reach: formatDecimal(reach),
    hidden: hidden ? "on" : "",
  };
}

/** Reads the texts of the form's fields. */
export function readMediaItemInput(form: FormData): MediaItemInput {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return Object.fromEntries(MEDIA_ITEM_FIELDS.map((name) => [name, text(name)])) as MediaItemInput;
}

/** Converts the form's texts to the input of the schema. @param saved the values from which the form was rendered */
export function mediaItemFromInput(
  input: MediaItemInput,
  saved: MediaValues,
): Readonly<Record<string, unknown>> {
  const initialInput = mediaItemInput(saved);
  const isUnchanged = (...names: readonly MediaItemField[]) =>
    saved.placement !== null && names.every((name) => input[name].trim() === initialInput[name].trim());
  const savedPlacement = saved.placement;
  const position = readPoint(input, "position", savedPlacement?.position ?? null);
  return {
    title: { ja: input["title.ja"], en: input["title.en"] },
    description: { ja: input["description.ja"], en: input["description.en"] },
    placement:
      position === null
        ? null
        : isUnchanged(...PLACE_FIELDS)
          ? savedPlacement
          : {
              position,
              normal: readPoint(input, "normal", savedPlacement?.normal ?? null) ?? [0, 0, 1],
              width: isUnchanged("width") ? savedPlacement?.width : input.width,
              rotation: isUnchanged("rotation")
                ? savedPlacement?.rotation
                : parseDegrees(input.rotation || "0"),
              play: input.play,
              reach: isUnchanged("reach") ? savedPlacement?.reach : input.reach,
            },
    hidden: input.hidden,
  };
}

/** Controls that show the messages of values, by the values' names. */
export const MEDIA_ITEM_CONTROLS: Readonly<Record<string, MediaItemField>> = {
  title: "title.ja",
  description: "description.ja",
  placement: "position.x",
};
