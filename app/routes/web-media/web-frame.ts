/** A web medium in a page: nothing is asked of its provider until somebody presses play. */
import type { WebFrame } from "~/components/web-player";
import type { WebMedium } from "~/domain/model";
import { playerOf, providerOf } from "~/domain/web-media";
import type { Translate } from "~/i18n/i18n";

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
  label: t("webMedia.openAt", { provider: providerName(web) }),
});

/** The player of a web medium, and what stands in its place until then; null for a photo, which has none. */
export function webFrame({ web, title, picture, t }: WebFrameInput): WebFrame | null {
  const player = playerOf(web);
  if (!player) return null;
  const { aspect, ...frame } = player;
  return {
    page: web.url,
    picture,
    label: t("webMedia.play", { provider: providerName(web), title }),
    frame: { ...frame, title, style: { aspectRatio: aspect } },
  };
}
