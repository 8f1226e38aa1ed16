import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { PROVIDERS } from "~/domain/library/web-providers";
import { LINK_URL_MAX } from "~/domain/shared/limits";
import { packMessage } from "~/forms/shared/user-message";
import { languages } from "~/i18n/languages.server";
import { providerName, webFrame, webLink } from "./web-frame";

/** Maximum size of an image in the preview before saving, in bytes, because the page contains it as a data URL. Larger ones are displayed after saving. */
const PREVIEW_IMAGE_MAX_BYTES = 256 * 1024;

/**
 * Data of the dialog that adds a web media item: the field for a URL, or the preview of the media item. Null if the page's URL does not open
 * it. `status` is the status of the response: a URL without a media item is invalid input.
 */
export async function readWebDialog(context: AppLoadContext, actor: Actor, searchParams: URLSearchParams) {
  if (searchParams.get("dialog") !== "web") return null;
  // A URL that is longer than LINK_URL_MAX must not become a valid one by being cut.
  const typedUrl = (searchParams.get("url") ?? "").slice(0, LINK_URL_MAX * 2);
  const formState = { typed: typedUrl, providers: PROVIDERS.map(({ name }) => name) };
  if (!searchParams.has("url")) return { ...formState, status: 200, problem: null, preview: null };
  const { services, lang } = context;
  const result = await context.attempt(services.webMedia.previewWebMediaItem({ actor, url: typedUrl }));
  if (!result.ok) {
    const { status, fields, userMessage } = result.failure;
    return { ...formState, status, problem: packMessage(fields.url?.[0] ?? userMessage), preview: null };
  }
  const { web, title, image } = result.value;
  const { t } = languages[lang];
  const thumbnailUrl =
    image && image.bytes.length <= PREVIEW_IMAGE_MAX_BYTES
      ? `data:${image.mimeType};base64,${base64(image.bytes)}`
      : null;
  const preview = {
    url: web.url,
    title,
    author: web.author,
    provider: providerName(web),
    frame: webFrame({ web, title, image: thumbnailUrl, t }),
    // A photo is displayed as an image.
    image: web.type === "photo" ? thumbnailUrl : null,
    link: webLink(web, t),
  };
  return { ...formState, status: 200, problem: null, preview };
}

export type WebDialogData = NonNullable<Awaited<ReturnType<typeof readWebDialog>>>;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 8192)
    text += String.fromCharCode(...bytes.subarray(offset, offset + 8192));
  return btoa(text);
}
