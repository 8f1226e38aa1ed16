import * as z from "zod";
import { ConflictError } from "#functions/services/shared/errors";
import { webMediaItemToJson } from "~/domain/content/content-json";
import type { LibraryItem } from "~/domain/library/library-item";
import type { WebUrlMatch } from "~/domain/library/oembed.schema";
import { createWebMediaSchema } from "~/domain/library/web-media.schema";
import { field } from "~/domain/shared/fields.schema";
import { MEDIA_TITLE_MAX } from "~/domain/shared/limits";
import { call, type ProblemCode } from "../core/call";
import { describe, optional, optionalId, optionalVersion, uncheckedField } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { libraryItemJson } from "../core/record-json";
import { LibraryItemSchema, WebMediaItemSchema } from "../core/schemas";

const { url: webUrl, title: webTitle } = createWebMediaSchema().shape;
const url = { type: "string", format: "uri", description: "An https URL of one of the providers." };
const titleField = (description: string) =>
  optional(webTitle, { type: ["string", "null"], maxLength: MEDIA_TITLE_MAX, description });
/** A URL, or null to keep the saved one. */
const webUrlOrNone = field<WebUrlMatch | null>((value) => {
  if (value === null) return { value: null };
  const result = webUrl.safeParse(value);
  return result.success ? { value: result.data } : { error: result.error.issues[0]?.message ?? "" };
});
const PROBLEMS = [
  "web_address",
  "web_link",
  "web_not_found",
  "web_private",
  "web_unsupported",
  "web_bad_answer",
  "web_unreachable",
] as const satisfies readonly ProblemCode[];

/** Web media (specification §5): previewing a URL, adding it to a library, and replacing it. */
export const webMediaCalls = [
  call({
    id: "previewWebMedium",
    method: "GET",
    path: "/v1/media/preview",
    tag: "media",
    summary: "Preview the web media item at a URL",
    description: "Nothing is saved.",
    who: "user",
    may: PERMISSION_TEXTS.session,
    query: z.object({ url: uncheckedField(url) }),
    response: WebMediaItemSchema,
    problems: PROBLEMS,
    handle: async ({ services, actor, query }) => {
      const url = typeof query.url === "string" ? query.url : "";
      const { web, title } = await services.webMedia.previewWebMediaItem({ actor, url });
      return { ...webMediaItemToJson(web), title };
    },
  }),

  call({
    id: "addWebMedium",
    method: "POST",
    path: "/v1/media",
    tag: "media",
    summary: "Add a web media item to a library",
    who: "user",
    may: PERMISSION_TEXTS.add,
    body: z.object({
      url: describe(webUrl, url),
      title: titleField("By default the title from the provider."),
      folder_uuid: optionalId("Destination folder. Default: the root folder."),
      owner_uuid: optionalId("The owner. Default: the caller."),
    }),
    response: LibraryItemSchema,
    problems: [...PROBLEMS, "forbidden", "library_capacity", "too_many_media", "other_type", "other_owner"],
    acceptsIdempotencyKey: true,
    hasEtag: true,
    handle: async ({ services, actor, body }) =>
      libraryItemJson(
        await services.webMedia.addWebMediaItem({
          actor,
          url: body.url.url,
          title: body.title ?? "",
          folderId: body.folder_uuid,
          ownerId: body.owner_uuid,
        }),
      ),
  }),

  call({
    id: "replaceWebMedium",
    method: "PUT",
    path: "/v1/media/{uuid}/web",
    tag: "media",
    summary: "Change the URL of a web media item",
    description: "Without a URL its data is requested again from the provider.",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    body: z.object({
      url: optional(webUrlOrNone, { ...url, type: ["string", "null"] }),
      title: titleField("Only with `url`. By default the saved title."),
      version: optionalVersion,
    }),
    response: LibraryItemSchema,
    problems: [...PROBLEMS, "forbidden"],
    hasEtag: true,
    acceptsIfMatch: true,
    handle: async ({ services, actor, params: { uuid: id }, body, rawBody }) => {
      const version = body.version ?? undefined;
      const change = body.url && { url: body.url.url, title: body.title ?? "" };
      const replacing = services.webMedia.replaceWebMediaItem({ actor, id, version, ...change });
      return libraryItemJson(
        await replacing.catch((error: unknown) => {
          if (!(error instanceof ConflictError)) throw error;
          throw new ConflictError(libraryItemJson(error.saved as LibraryItem), rawBody);
        }),
      );
    },
  }),
];
