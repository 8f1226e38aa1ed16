import type { MetaDescriptor } from "@remix-run/cloudflare";
import { LANGS } from "~/domain/shared/lang";
import type { Instant, Lang } from "~/domain/shared/model";
import { zonedIso } from "~/domain/shared/time-zone";
import { eventLink, type OwnLink } from "../share/event-link";

/** Input of the head of a visitor's page. */
export interface HeadInput {
  readonly origin: string;
  readonly lang: Lang;
  readonly link: OwnLink;
  /** Whether the event may be described to others: it has a public link and no password. */
  readonly isPublic: boolean;
  readonly event: {
    readonly name: string;
    readonly detail: string;
    readonly startDate: Instant | null;
    readonly endDate: Instant | null;
    readonly timeZone: string;
  };
  /** Path of the event's image for visitors; null if it has none. */
  readonly image: string | null;
}

const LOCALES: Readonly<Record<Lang, string>> = { ja: "ja_JP", en: "en_GB" };
/** Maximum number of characters of the description. Link previews cut longer ones. */
const DESCRIPTION_MAX = 160;

/** Puts a text on one line. */
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Beginning of a text, cut at a word boundary if there is one. */
function shortenDescription(text: string): string {
  const characters = [...text];
  if (characters.length <= DESCRIPTION_MAX) return text;
  const start = characters.slice(0, DESCRIPTION_MAX - 1).join("");
  // Text without word boundaries, such as Japanese, is cut at the limit.
  const end = start.search(/[\s\p{P}]+[\p{Script=Latin}\p{N}]{1,30}$/u);
  const cutsWord = /^[\p{Script=Latin}\p{N}]/u.test(characters[DESCRIPTION_MAX - 1] ?? "");
  return `${cutsWord && end > 0 ? start.slice(0, end) : start.trimEnd()}…`;
}

/** Head of a page that must not be described to search engines: its title and `noindex`. */
export const titleOnly = (title: string): MetaDescriptor[] => [
  { title },
  { name: "robots", content: "noindex" },
];

/**
 * Title, description, image and structured data of an event for link previews and search engines. For a preview and for an event with a
 * password, only the title and `noindex`.
 */
export function visitHead({
  origin,
  lang,
  link,
  isPublic,
  event,
  image: imagePath,
}: HeadInput): MetaDescriptor[] {
  if (!isPublic) return titleOnly(event.name);
  const urlIn = (inLang: Lang | null) => {
    const pageUrl = new URL(eventLink(origin, link));
    if (inLang) pageUrl.searchParams.set("lang", inLang);
    return pageUrl.href;
  };
  // Without a cookie and without a language in the URL, the page is Japanese.
  const canonical = urlIn(lang === "ja" ? null : lang);
  const image = imagePath && new URL(imagePath, origin).href;
  const description = shortenDescription(oneLine(event.detail));
  const oembed = new URL("/oembed", origin);
  oembed.searchParams.set("url", canonical);
  oembed.searchParams.set("format", "json");
  return [
    { title: event.name },
    ...(description === "" ? [] : [{ name: "description", content: description }]),
    { tagName: "link", rel: "canonical", href: canonical },
    ...LANGS.map((hrefLang) => ({ tagName: "link", rel: "alternate", hrefLang, href: urlIn(hrefLang) })),
    {
      tagName: "link",
      rel: "alternate",
      type: "application/json+oembed",
      href: oembed.href,
      title: event.name,
    },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Hiroba" },
    { property: "og:title", content: event.name },
    ...(description === "" ? [] : [{ property: "og:description", content: description }]),
    { property: "og:url", content: canonical },
    { property: "og:locale", content: LOCALES[lang] },
    ...(image
      ? [
          { property: "og:image", content: image },
          { property: "og:image:alt", content: event.name },
        ]
      : []),
    { name: "twitter:card", content: image ? "summary_large_image" : "summary" },
    { "script:ld+json": eventData({ canonical, image, lang, event, description }) },
  ];
}

/** The event as schema.org data. */
function eventData({
  canonical,
  image,
  lang,
  event,
  description,
}: Pick<HeadInput, "event" | "lang"> & { canonical: string; image: string | null; description: string }) {
  const toZonedIso = (instant: Instant | null) =>
    instant === null ? undefined : zonedIso(instant, event.timeZone);
  return {
    "@context": "https://schema.org",
    "@type": "Event",
    name: event.name,
    ...(description !== "" && { description }),
    ...(event.startDate && { startDate: toZonedIso(event.startDate) }),
    ...(event.endDate && { endDate: toZonedIso(event.endDate) }),
    eventStatus: "https://schema.org/EventScheduled",
    eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
    location: { "@type": "VirtualLocation", url: canonical },
    ...(image && { image: [image] }),
    inLanguage: lang,
    url: canonical,
  };
}
