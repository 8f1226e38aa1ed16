/** Product forms that a page submits without scripts, or before the editor has loaded. */

import { productField } from "~/domain/content/tag.schema";
import { toUuid } from "~/domain/shared/ids";
import { EVENT_PRODUCTS_MAX } from "~/domain/shared/limits";
import type { TagProduct } from "~/domain/shared/model";
import { productIdOf } from "~/domain/store/store-ids";
import type { Edit } from "~/features/content/editor/content";
import {
  type ContentPost,
  firstRejection,
  REJECTION_MESSAGES,
  redirectToList,
  rejectContent,
  sendEdits,
} from "../../content/editor/content-post.server";
import { PICKER_PARAMS } from "../../content/editor/panels";
import { withProduct } from "../../content/items/untitled-tag";
import {
  applyProductAction,
  attachProduct,
  parseProductAction,
  productElementId,
  TAG_PRODUCT_FIELD_ID,
} from "./product-actions";

/** Handles a product form; null for any other form. */
export async function handleProductForm(post: ContentPost) {
  switch (post.form.get("intent")) {
    case "products":
      return changeProducts(post);
    case "pick-product":
      return addPickedProduct(post);
    default:
      return null;
  }
}

const readContent = ({ context, actor, eventId }: ContentPost) =>
  context.services.content.getContent({ actor, eventId });

/** Handles the buttons beside the event's products. */
async function changeProducts(post: ContentPost) {
  const parsed = parseProductAction(String(post.form.get("do") ?? ""));
  const id = productIdOf(parsed?.number);
  if (!parsed || id === null) return rejectContent(400, { problem: REJECTION_MESSAGES.invalid });
  const content = await readContent(post);
  const { products } = content.scene;
  const nextProducts = applyProductAction(products, parsed.action, id);
  if (nextProducts === products) return redirectToList(post, {});
  return save(post, content, { op: "update_scene", values: { products: nextProducts } }, {});
}

/** Adds a chosen product to a tag or to the event. */
async function addPickedProduct(post: ContentPost) {
  const { form } = post;
  const parsed = productField.safeParse({
    id: productIdOf(form.get("product")),
    title: form.get("title") ?? "",
  });
  const product: TagProduct | null = parsed.success ? parsed.data : null;
  if (!product) return rejectContent(400, { problem: REJECTION_MESSAGES.invalid });
  const content = await readContent(post);
  if (form.has("tagId")) {
    const id = toUuid(form.get("tagId"));
    const tag = content.tags.find((candidate) => candidate.id === id);
    if (!tag) return rejectContent(404, { problem: REJECTION_MESSAGES.not_found });
    const params = { tag: tag.id, toast: "content-saved" };
    const values = withProduct(tag, product, post.context.lang);
    return save(post, content, { op: "update_tag", id: tag.id, values }, params, TAG_PRODUCT_FIELD_ID);
  }
  const { products } = content.scene;
  if (products.length >= EVENT_PRODUCTS_MAX)
    return rejectContent(400, { problem: "store:errors.store.tooManyProducts" });
  // Users often choose several products in a row, so the redirect leads back to this product on the same page of the search.
  const { searchParams } = new URL(post.request.url);
  const pickerParams = PICKER_PARAMS.flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const params = { ...Object.fromEntries(pickerParams), toast: "content-saved" };
  const fragment = pickerParams.length > 0 ? productElementId(product.id) : "";
  const nextProducts = attachProduct(products, product);
  if (nextProducts === products) return redirectToList(post, params, fragment);
  return save(post, content, { op: "update_scene", values: { products: nextProducts } }, params, fragment);
}

async function save(
  post: ContentPost,
  content: Awaited<ReturnType<typeof readContent>>,
  edit: Edit,
  params: Readonly<Record<string, string>>,
  fragment = "",
) {
  const rejection = firstRejection((await sendEdits(post, content, [edit])).results);
  return rejection
    ? rejectContent(rejection.status, { problem: rejection.problem })
    : redirectToList(post, params, fragment);
}
