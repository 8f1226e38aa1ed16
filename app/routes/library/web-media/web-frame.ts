/** Web media (media that another site plays) in a page: nothing is requested from the provider until the user starts the player. */
import type { WebFrame } from "~/components/media/web-player";
import type { LibraryItem } from "~/domain/library/library-item";
import { imageUrl } from "~/domain/library/media-url";
import { createWebPlayer, findProvider } from "~/domain/library/web-media";
import type { WebMediaItem } from "~/domain/shared/model";
import type { Translate } from "~/i18n/messages";

/** Link to the whole media item at its provider. */
export interface WebMediaLink {
  readonly href: string;
  readonly label: string;
}

export interface WebFrameInput {
  readonly web: WebMediaItem;
  readonly title: string;
  /** URL of its thumbnail on this server, or a data URL; null if there is none. */
  readonly image: string | null;
  readonly t: Translate;
}

/** Name of a web media item's provider. */
export const providerName = (web: WebMediaItem): string => findProvider(web.provider)?.name ?? web.provider;

/** Link to the page of a web media item at its provider. */
export const webLink = (web: WebMediaItem, t: Translate): WebMediaLink => ({
  href: web.url,
  label: t("library:webMedia.openAt", { provider: providerName(web) }),
});

/** Player of a web media item with its placeholder; null for a photo, and if the player is no longer supported. */
export function webFrame({ web, title, image, t }: WebFrameInput): WebFrame | null {
  const player = createWebPlayer(web);
  if (!player) return null;
  const { aspect, ...frame } = player;
  return {
    page: web.url,
    image,
    label: t("library:webMedia.play", { provider: providerName(web), title }),
    frame: { ...frame, title, style: { aspectRatio: aspect } },
  };
}

/** A web media item on its own page: its player, and the link to its provider. Null for files. */
export const webMediaItemPage = (item: LibraryItem, t: Translate) =>
  item.web && {
    frame: webFrame({ web: item.web, title: item.title, image: imageUrl(item, 1280), t }),
    link: webLink(item.web, t),
  };

export type WebMediaItemPageData = NonNullable<ReturnType<typeof webMediaItemPage>>;
