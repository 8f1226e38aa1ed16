/** Converts a tag to the texts of its form, and back. */
import type { TagValues } from "~/domain/content/content";
import { DEFAULT_STEM, DEFAULT_TAG_COLOR, DEFAULT_TAG_ICON } from "~/domain/content/tag-defaults";
import { TAG_FIELD_NAMES, TAG_FIELDS, type TagFieldName } from "~/domain/content/tag-fields";
import type { Vec3, Viewpoint } from "~/domain/shared/model";

/** Name of a field with a single value in a tag's form. The media are not such a field. */
export type TagField = (typeof TAG_FIELDS)[TagFieldName]["form"][number];
/** Names of the fields with a single value in a tag's form. */
export const TAG_INPUT_NAMES: readonly TagField[] = TAG_FIELD_NAMES.flatMap((name) => TAG_FIELDS[name].form);
/** The typed texts of the form's fields, and the ids of the tag's media in their order. */
export type TagFormInput = Readonly<Record<TagField, string>> & { readonly media: readonly string[] };

/** Formats metres or seconds for a form, rounded to three decimals. */
export const formatDecimal = (value: number): string => String(Math.round(value * 1000) / 1000);
/** Formats radians as degrees for a form, rounded to a tenth. */
export const formatDegrees = (radians: number): string => String(Math.round((radians * 1800) / Math.PI) / 10);
const AXES = ["x", "y", "z"] as const;

/** Returns the three form fields of a point. */
export function pointInput<Name extends string>(name: Name, point: Vec3 | null) {
  const entries = AXES.map((axis, index) => [
    `${name}.${axis}`,
    point ? formatDecimal(point[index] ?? 0) : "",
  ]);
  return Object.fromEntries(entries) as Record<`${Name}.${"x" | "y" | "z"}`, string>;
}

const lengthOf = (vec: Vec3) => Math.hypot(...vec);
const UP: Vec3 = [0, 1, 0];

/** Returns the direction of a stem, which is the line from a tag's position to its pin. A stem without length points upwards. */
export function getStemDirection(stem: Vec3): Vec3 {
  const length = lengthOf(stem);
  return length < 1e-6 ? UP : [stem[0] / length, stem[1] / length, stem[2] / length];
}

/** Initial values of a new tag. */
export const NEW_TAG: TagValues = {
  title: { ja: "", en: "" },
  body: { ja: "", en: "" },
  color: DEFAULT_TAG_COLOR,
  icon: DEFAULT_TAG_ICON,
  keywords: [],
  linkUrl: null,
  position: null,
  stem: DEFAULT_STEM,
  viewpoint: null,
  mediaIds: [],
  product: null,
  hidden: false,
};

/** Returns the form's texts for a tag. */
export function tagInput(tag: TagValues): TagFormInput {
  const { title, body, product, viewpoint, stem } = tag;
  return {
    "title.ja": title.ja,
    "title.en": title.en,
    "body.ja": body.ja,
    "body.en": body.en,
    color: tag.color,
    icon: tag.icon,
    length: formatDecimal(lengthOf(stem)),
    keywords: tag.keywords.join(", "),
    linkUrl: tag.linkUrl ?? "",
    "product.id": product?.id ?? "",
    "product.title": product?.title ?? "",
    ...pointInput("position", tag.position),
    ...pointInput("normal", getStemDirection(stem)),
    ...viewInput(viewpoint),
    hidden: tag.hidden ? "on" : "",
    media: tag.mediaIds,
  };
}

/** Returns the form fields of a viewpoint. For null, they are empty. */
export function viewInput(viewpoint: Viewpoint | null) {
  return {
    "view.mode": (viewpoint?.mode ?? "") as string,
    ...pointInput("view", viewpoint?.position ?? null),
    "view.yaw": viewpoint ? formatDegrees(viewpoint.yaw) : "",
    "view.pitch": viewpoint ? formatDegrees(viewpoint.pitch) : "",
    "view.node": viewpoint?.nodeId ?? "",
  };
}

/** Reads the texts of the form's fields. */
export function readTagInput(form: FormData): TagFormInput {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const fields = Object.fromEntries(TAG_INPUT_NAMES.map((name) => [name, text(name)])) as Record<
    TagField,
    string
  >;
  return { ...fields, media: form.getAll("media").filter((id): id is string => typeof id === "string") };
}

type Inputs = Readonly<Record<string, string>>;
const isEmpty = (text: string | undefined) => (text ?? "").trim() === "";

/** Returns the typed coordinates of a point as texts, which the schema parses; null if all of them are empty. */
export function parsePoint(input: object, name: string): unknown {
  const coordinates = AXES.map((axis) => (input as Inputs)[`${name}.${axis}`] ?? "");
  return coordinates.every(isEmpty) ? null : coordinates;
}

/**
 * Returns the typed point. A coordinate whose text still equals the saved number keeps its exact value. When all fields are unchanged, the saved
 * point itself is returned.
 */
export function readPoint(input: object, name: string, saved: Vec3 | null): unknown {
  const point = parsePoint(input, name);
  if (!saved || !Array.isArray(point)) return point;
  const coordinates = saved.map((part, index) =>
    String(point[index]).trim() === formatDecimal(part) ? part : point[index],
  );
  return coordinates.every((part, index) => part === saved[index]) ? saved : coordinates;
}

const parseNumber = (text: string | undefined) => (isEmpty(text) ? Number.NaN : Number(text));
/** Converts typed degrees to radians; NaN if the text is not a number. */
export const parseDegrees = (text: string | undefined) => (parseNumber(text) * Math.PI) / 180;

function parseStem(input: TagFormInput): unknown {
  const normal = parsePoint(input, "normal") ?? UP;
  const coordinates = (normal as readonly unknown[]).map(Number);
  const normalLength = Math.hypot(...coordinates);
  const length = isEmpty(input.length) ? lengthOf(DEFAULT_STEM) : Number(input.length);
  // For invalid input, a text is returned instead of a vector, so that the schema rejects it.
  if (!(normalLength > 1e-6) || !(length >= 0)) return "?";
  return coordinates.map((part) => (part / normalLength) * length);
}

/** Returns the typed viewpoint, or null if the mode is empty. */
export function parseView(input: ReturnType<typeof viewInput>): unknown {
  if (isEmpty(input["view.mode"])) return null;
  return {
    mode: input["view.mode"],
    position: parsePoint(input, "view"),
    yaw: parseDegrees(input["view.yaw"] || "0"),
    pitch: parseDegrees(input["view.pitch"] || "0"),
    nodeId: input["view.node"].trim(),
  };
}

/**
 * Converts the form's texts to the input of the tag schema. A value whose fields are unchanged keeps its exact numbers instead of the rounded texts.
 * @param saved the values from which the form was rendered; by default those of a new tag
 */
export function tagFromInput(
  input: TagFormInput,
  saved: TagValues = NEW_TAG,
): Readonly<Record<string, unknown>> {
  const initialInput = tagInput(saved);
  const isKept = (...names: readonly TagField[]) =>
    names.every((name) => input[name].trim() === initialInput[name].trim());
  const isViewKept = isKept(...TAG_FIELDS.viewpoint.form);
  const isStemKept = isKept(...TAG_FIELDS.stem.form);
  return {
    title: { ja: input["title.ja"], en: input["title.en"] },
    body: { ja: input["body.ja"], en: input["body.en"] },
    color: input.color,
    icon: input.icon,
    keywords: input.keywords,
    linkUrl: input.linkUrl,
    position: readPoint(input, "position", saved.position),
    stem: isStemKept ? saved.stem : parseStem(input),
    viewpoint: isViewKept ? saved.viewpoint : parseView(input),
    mediaIds: input.media,
    product: isEmpty(input["product.id"])
      ? null
      : { id: readProductId(input["product.id"]), title: input["product.title"] },
    hidden: input.hidden,
  };
}

/** Returns the product id in Shopify's format. A store's admin pages show only the number at its end. */
function readProductId(typedId: string): string {
  const text = typedId.trim();
  return /^\d{1,20}$/.test(text) ? `gid://shopify/Product/${text}` : text;
}

/** Controls that show the messages of values, by the values' names. */
export const TAG_CONTROLS: Readonly<Record<string, TagField | "media" | "product">> = {
  title: "title.ja",
  position: "position.x",
  stem: "length",
  viewpoint: "view.x",
  mediaIds: "media",
  product: "product",
};
