import { UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import type { ConvertibleItem } from "~/features/library/conversions/convert-uploaded";

/** Reason why an image could not be stored. */
export type SendProblem = "capacity" | "failed";

/** Width in which a space's thumbnail is captured, in pixels. */
export const IMAGE_WIDTH = 1600;

const JSON_TYPE = "application/json";

async function requestJson(
  method: string,
  path: string,
  body: BodyInit,
  type: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(path, { method, body, headers: { "content-type": type } });
  const json = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(String(json.code));
  return json;
}

/**
 * Uploads an image that the page has created, for example a captured thumbnail, to the owner's library.
 * @returns the created item, with its id and the URL of its image, or the reason why there is none
 */
export async function sendCapturedImage(
  image: Blob,
  name: string,
  ownerId: string | null,
): Promise<
  | { readonly id: string; readonly image: string; readonly item: ConvertibleItem }
  | { readonly problem: SendProblem }
> {
  const extension = image.type === "image/webp" ? "webp" : "jpg";
  try {
    const upload = await requestJson(
      "POST",
      "/api/v1/uploads",
      JSON.stringify({
        file_name: `${name}.${extension}`,
        byte_size: image.size,
        ...(ownerId !== null && { owner_uuid: ownerId }),
      }),
      JSON_TYPE,
    );
    const uploadUrl = `/api/v1/uploads/${upload.uuid}`;
    for (let part = 0; part * UPLOAD_PART_BYTES < image.size; part++) {
      const slice = image.slice(part * UPLOAD_PART_BYTES, (part + 1) * UPLOAD_PART_BYTES);
      await requestJson("PUT", `${uploadUrl}/parts/${part + 1}`, slice, "application/octet-stream");
    }
    const item = await requestJson("POST", `${uploadUrl}/complete`, "{}", JSON_TYPE);
    return {
      id: String(item.uuid),
      image: `/media/${item.uuid}`,
      item: item as unknown as ConvertibleItem,
    };
  } catch (error) {
    return { problem: (error as Error).message === "library_capacity" ? "capacity" : "failed" };
  }
}
