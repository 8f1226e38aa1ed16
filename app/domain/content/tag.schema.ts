import * as z from "zod";
import {
  field,
  formError,
  isMissing,
  localizedField,
  optionalVec3Field,
  optionalViewpointField,
  readFlag,
  readText,
  readVec3,
  versionField,
} from "../shared/fields.schema";
import { isUuid } from "../shared/ids";
import {
  EVENT_PRODUCTS_MAX,
  KEYWORD_MAX,
  LINK_URL_MAX,
  PRODUCT_TITLE_MAX,
  TAG_BODY_MAX,
  TAG_KEYWORDS_MAX,
  TAG_MEDIA_MAX,
  TAG_TITLE_MAX,
} from "../shared/limits";
import type { TagProduct, Uuid, Vec3 } from "../shared/model";
import { nameKey } from "../shared/text";
import { DEFAULT_STEM, DEFAULT_TAG_COLOR, DEFAULT_TAG_ICON } from "./tag-defaults";

/** A colour as #rrggbb, in lower case. */
export const colorField = field<string, string | null | undefined>((value) => {
  if (isMissing(value)) return { value: DEFAULT_TAG_COLOR };
  return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)
    ? { value: value.toLowerCase() }
    : { error: "content:errors.tag.color" };
});

/**
 * A URL without its scheme: a host with dots that ends in letters, then an optional port and path. URLs with a scheme and email addresses do not
 * match.
 */
const URL_WITHOUT_SCHEME =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]|$)/u;

/** The link of a tag: http or https without credentials. The scheme may be left out. Null when empty. */
export const linkUrlField = field<string | null, string | null | undefined>((value) => {
  const text = readText(value, { max: LINK_URL_MAX, tooLong: "shared-owners:errors.linkUrl.tooLong" });
  if ("error" in text) return text;
  if (text.value === "") return { value: null };
  const invalid = { error: "shared-owners:errors.linkUrl.invalid" };
  const href = URL_WITHOUT_SCHEME.test(text.value) ? `https://${text.value}` : text.value;
  if (!/^https?:\/\/[^/\\]/i.test(href) || /[\s\\]/.test(href)) return invalid;
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return invalid;
  }
  if (url.username !== "" || url.password !== "") return invalid;
  return url.href.length > LINK_URL_MAX
    ? { error: "shared-owners:errors.linkUrl.tooLong" }
    : { value: url.href };
});

/** Keywords as a list, or as one text separated by commas or Japanese commas (specification §9). Duplicates are removed. */
export const keywordsField: z.ZodType<readonly string[], readonly string[] | string | null | undefined> =
  field((value) => {
    const tooMany = { error: "content:errors.tag.tooManyKeywords" };
    const raw = value ?? [];
    if (typeof raw === "string" && raw.length > TAG_KEYWORDS_MAX * KEYWORD_MAX * 8) return tooMany;
    const list: unknown = typeof raw === "string" ? raw.split(/[,、，]/) : raw;
    if (!Array.isArray(list)) return { error: "shared-owners:errors.field.invalid" };
    if (list.length > TAG_KEYWORDS_MAX * 4) return tooMany;
    const keywords = new Map<string, string>();
    for (const item of list) {
      const text = readText(item, { max: KEYWORD_MAX, tooLong: "content:errors.tag.keywordTooLong" });
      if ("error" in text) return text;
      if (text.value !== "" && !keywords.has(nameKey(text.value)))
        keywords.set(nameKey(text.value), text.value);
    }
    return keywords.size > TAG_KEYWORDS_MAX ? tooMany : { value: [...keywords.values()] };
  });

/** The media of a tag, in order and without duplicates. */
const mediaIdsField = field<readonly Uuid[], readonly string[] | string | null | undefined>((value) => {
  const list: unknown = isMissing(value) ? [] : value;
  const ids = Array.isArray(list) ? list : [list];
  if (ids.length > TAG_MEDIA_MAX) return { error: "content:errors.tag.tooManyMedia" };
  return ids.every((id) => isUuid(id))
    ? { value: [...new Set(ids)] }
    : { error: "shared-owners:errors.field.invalid" };
});

/** A product of the store, as {id, title}; null for none. */
export const productField = field<TagProduct | null>((value) => {
  if (isMissing(value)) return { value: null };
  const invalid = { error: "shared-owners:errors.field.invalid" };
  if (typeof value !== "object" || Array.isArray(value)) return invalid;
  const { id, title } = value as Readonly<Record<string, unknown>>;
  if (id === "" || id === undefined || id === null) return { value: null };
  if (typeof id !== "string" || !/^gid:\/\/shopify\/Product\/\d{1,20}$/.test(id)) return invalid;
  const text = readText(title, { max: PRODUCT_TITLE_MAX, tooLong: "shared-owners:errors.field.invalid" });
  return "error" in text ? text : { value: { id, title: text.value } };
});

/** The products that an event shows. Duplicates are left out. */
export const productsField = field<readonly TagProduct[]>((value) => {
  if (isMissing(value)) return { value: [] };
  if (!Array.isArray(value)) return { error: "shared-owners:errors.field.invalid" };
  if (value.length > EVENT_PRODUCTS_MAX) return { error: "store:errors.store.tooManyProducts" };
  const products = new Map<string, TagProduct>();
  for (const [index, listedProduct] of value.entries()) {
    const product = productField.safeParse(listedProduct);
    if (!product.success || !product.data)
      return { error: "shared-owners:errors.field.invalid", path: [String(index)] };
    if (!products.has(product.data.id)) products.set(product.data.id, product.data);
  }
  return { value: [...products.values()] };
});

/**
 * Returns the schema of an event's tag. Texts are {ja, en}, and one language suffices for the title. Points are [x, y, z] in metres. A tag
 * without a position is not placed yet.
 */
export function createTagSchema() {
  return z.object(
    {
      version: versionField,
      title: localizedField({
        max: TAG_TITLE_MAX,
        required: "content:errors.tag.titleRequired",
        tooLong: "content:errors.tag.titleTooLong",
      }),
      body: localizedField({ max: TAG_BODY_MAX, tooLong: "content:errors.tag.bodyTooLong", multiline: true }),
      color: colorField,
      icon: field<string, string | null | undefined>((value) => {
        if (isMissing(value)) return { value: DEFAULT_TAG_ICON };
        return typeof value === "string" && /^[a-z][a-z0-9-]{0,31}$/.test(value)
          ? { value }
          : { error: "content:errors.tag.icon" };
      }),
      keywords: keywordsField,
      linkUrl: linkUrlField,
      position: optionalVec3Field,
      stem: field<Vec3>((value) => {
        if (isMissing(value)) return { value: DEFAULT_STEM };
        const stem = readVec3(value);
        return stem === null ? { error: "shared-owners:errors.field.position" } : { value: stem };
      }),
      viewpoint: optionalViewpointField,
      mediaIds: mediaIdsField,
      product: productField,
      hidden: field<boolean>(readFlag),
    },
    formError,
  );
}
