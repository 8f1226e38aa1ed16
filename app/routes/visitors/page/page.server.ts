import type { AppLoadContext } from "@remix-run/cloudflare";
import type { VisitorEvent, VisitorResult } from "#functions/services/visitors/event-access";
import { createDateFormatter, timeZoneName } from "~/components/date-time";
import { readContentQuery } from "~/domain/content/content-query";
import { collectKeywords, contentSearch } from "~/domain/content/content-search";
import { EMBED_SIZE, embedHtml } from "~/domain/content/embed";
import { atWidth } from "~/domain/library/media-url";
import { inLanguage, textIn } from "~/domain/shared/localized";
import type { Instant, Lang, Uuid } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { readPageNumber } from "~/domain/visitors/visitor-url";
import { languages } from "~/i18n/languages.server";
import { toFindables } from "../list/findable";
import {
  entriesOnPage,
  indexContent,
  isPaged,
  listedEntries,
  pageContent,
  resolvePageNumber,
} from "../list/list-pages";
import { makeScene } from "../scene/scene";
import type { Scene } from "../scene/scene-types";
import { eventLink, eventPath, type OwnLink } from "../share/event-link";
import { titleOnly, visitHead } from "./head.server";

type OpenedEvent = Pick<Extract<VisitorResult, { state: "open" }>, "event">;

/** Creates the function that returns the URL of a library file for visitors with the link. */
export function createFileUrlBuilder({ eventId, mode, token }: OwnLink): (id: string) => string {
  const query = new URLSearchParams({ event: eventId, mode, token });
  return (id) => `/media/${id}?${query}`;
}

/** Scene of an event for visitors. */
export function visitorScene(
  { lang, page }: Pick<AppLoadContext, "lang" | "page">,
  { event }: OpenedEvent,
  fileUrl: (id: string) => string,
): Scene {
  return makeScene({
    lang,
    showcaseKey: page.showcaseKey,
    space: event.space,
    previewName: event.space.previewName,
    panoramas: event.space.panoramas,
    tags: event.hasStore ? event.tags : event.tags.map((tag) => ({ ...tag, product: null })),
    media: event.media,
    urlParams: event.urlParams,
    eventScene: event.scene,
    fileUrl,
  });
}

/**
 * Data of a visitor's page, with the search and the page of the list that its URL selects.
 * @param contentHref URL of a long list's whole content; null if the page contains it
 */
export function loadVisitorPage(
  context: Pick<AppLoadContext, "lang" | "site" | "page">,
  openEvent: OpenedEvent,
  searchParams: URLSearchParams,
  fileUrl: (id: string) => string,
  contentHref: string | null = null,
) {
  const { event } = openEvent;
  const scene = visitorScene(context, openEvent, fileUrl);
  const query = readContentQuery(searchParams);
  const hasQuery = query.text !== "" || query.keywords.length > 0;
  const entries = toFindables(scene);
  const matchingIds = hasQuery ? contentSearch(entries)(query) : null;
  const requestedPage = readPageNumber(searchParams);
  const index = indexContent(scene);
  const isLong = isPaged(index);
  return {
    scene:
      isLong && contentHref !== null
        ? limitToPage(scene, matchingIds, searchParams.get("tag"), requestedPage)
        : scene,
    index,
    isLong,
    contentHref: isLong ? contentHref : null,
    keywords: collectKeywords(entries, context.lang),
    listPage: requestedPage,
    query,
    matchingIds: matchingIds && [...matchingIds],
    event: {
      id: event.id,
      name: inLanguage(event.eventName, context.lang),
      detail: inLanguage(event.eventDetail, context.lang),
      period: formatPeriod(event, context.lang),
      timeZone: timeZoneName(event.timeZone, languages[context.lang].t),
    },
  };
}

/** Limits a scene to the content of one page of its list: the page's entries, and the media items that its tags show. */
function limitToPage(
  scene: Scene,
  matchingIds: ReadonlySet<Uuid> | null,
  tagId: string | null,
  requestedPage: number,
): Scene {
  const entries = listedEntries(indexContent(scene), matchingIds, tagId);
  const pageScene = pageContent(
    scene,
    new Set(entriesOnPage(entries, resolvePageNumber(entries, tagId, requestedPage))),
  );
  // A plan, which panorama spaces have, too, shows the pins of all entries even without scripts. Without a plan only the 3D space shows pins, and its
  // scripts fetch all content.
  if (scene.plan !== null || scene.source.kind === "panorama") return pageScene;
  const ids = new Set([...pageScene.tags, ...pageScene.media].map(({ id }) => id));
  const isOnPage = ({ id }: { readonly id: Uuid }) => ids.has(id);
  return { ...pageScene, pins: scene.pins.filter(isOnPage), placedMedia: scene.placedMedia.filter(isOnPage) };
}

/** Formats the period in which an event is open. */
function formatPeriod(
  { startDate, endDate, timeZone }: Pick<VisitorEvent, "startDate" | "endDate" | "timeZone">,
  lang: Lang,
): string {
  const { t } = languages[lang];
  // Lines may break between the dates, but not inside of one.
  const formatDate = (date: Instant) =>
    createDateFormatter(t)(toLocalInput(date, timeZone)).replaceAll(" ", "\u00a0");
  const [start, end] = [startDate && formatDate(startDate), endDate && formatDate(endDate)];
  if (start && end) return t("visitors:between", { start, end });
  if (start) return t("visitors:from", { date: start });
  return end ? t("visitors:until", { date: end }) : "";
}

/** Head of the page, which link previews and search engines read. */
export function pageHead(
  context: Pick<AppLoadContext, "lang" | "site">,
  event: VisitorEvent,
  link: OwnLink,
  { poster, isPublic }: { poster: string | null; isPublic: boolean },
) {
  const name = textIn(event.eventName, context.lang);
  const detail = textIn(event.eventDetail, context.lang);
  return visitHead({
    origin: context.site.origin,
    lang: context.lang,
    link,
    isPublic,
    event: { ...event, name, detail },
    image: poster,
  });
}

/** URL to which pages of a public link report visits. */
export const visitReportHref = ({ eventId, token }: Pick<OwnLink, "eventId" | "token">): string =>
  `/v/${eventId}?${new URLSearchParams({ token })}`;

/** Data of the share dialog. */
export function getShareData(
  { site, lang }: Pick<AppLoadContext, "lang" | "site">,
  event: Pick<VisitorEvent, "eventName">,
  link: OwnLink,
) {
  const path = eventPath(link);
  const embedUrl = new URL(path, site.origin);
  embedUrl.searchParams.set("lang", lang);
  embedUrl.searchParams.set("poster", "1");
  return {
    path,
    eventLink: eventLink(site.origin, link),
    qr: `/event/${link.mode}/${link.eventId}/qr?token=${encodeURIComponent(link.token)}`,
    // Previews cannot be embedded: they are meant for people whom the owner knows.
    embed:
      link.mode === "published"
        ? embedHtml({ src: embedUrl.href, title: textIn(event.eventName, lang), ...EMBED_SIZE })
        : null,
  };
}

/**
 * Data of the page that a frame in another site shows before the viewer is started: the event's name and an image. Before the password of
 * an event is entered, it contains only the data that the owner shows at that time.
 */
export function posterPage(
  result: Exclude<VisitorResult, { state: "closed" }>,
  href: string,
  fileUrl: (id: string) => string,
  lang: Lang,
) {
  const { eventName } = result.event;
  const name = eventName ? textIn(eventName, lang) : languages[lang].t("visitors-late:passwordTitle");
  const url = new URL(href);
  url.searchParams.delete("poster");
  const image = result.state === "open" ? result.event.space.posterMediaId : result.event.coverId;
  return {
    state: "poster" as const,
    head: titleOnly(name),
    name,
    image: image === null ? null : atWidth(fileUrl(image), ""),
    href: url.pathname + url.search,
  };
}
