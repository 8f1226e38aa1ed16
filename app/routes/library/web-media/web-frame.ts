/** A web medium in a page: nothing is asked of its provider until somebody presses play. */
import type { WebFrame } from "~/components/web-player";
import { pictureAddress } from "~/domain/library/media-address";
import { playerOf, providerOf } from "~/domain/library/web-media";
import type { LibraryItem, WebMedium } from "~/domain/shared/model";
import type { Translate } from "~/i18n/messages";

/** Where a medium leads that is not shown whole. */
export interface MediumLink {
  readonly href: string;
  readonly label: string;
}

export interface WebFrameInput {
  readonly web: WebMedium;
  readonly title: string;
  /** Its still picture, here; null without one. */
  readonly picture: string | null;
  readonly t: Translate;
}

/** The provider's name of a web medium. */
export const providerName = (web: WebMedium): string => providerOf(web.provider)?.name ?? web.provider;

/** The page that a web medium has at its provider. */
export const webLink = (web: WebMedium, t: Translate): MediumLink => ({
  href: web.url,
  label: t("library:webMedia.openAt", { provider: providerName(web) }),
});

/** The player of a web medium, and what stands in its place until then; null for a photo, which has none. */
export function webFrame({ web, title, picture, t }: WebFrameInput): WebFrame | null {
  const player = playerOf(web);
  if (!player) return null;
  const { aspect, ...frame } = player;
  return {
    page: web.url,
    picture,
    label: t("library:webMedia.play", { provider: providerName(web), title }),
    frame: { ...frame, title, style: { aspectRatio: aspect } },
  };
}

/** A web medium of a library as its own page shows it: its player, and the way to its page there. Null for files. */
export const shownWeb = (item: LibraryItem, t: Translate) =>
  item.web && {
    frame: webFrame({ web: item.web, title: item.title, picture: pictureAddress(item, 1280), t }),
    link: webLink(item.web, t),
  };

export type ShownWeb = NonNullable<ReturnType<typeof shownWeb>>;
