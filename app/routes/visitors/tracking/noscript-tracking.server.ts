/**
 * Reports visits without scripts (decision 030) by a <noscript> element after the page. Browsers with scripts do not parse its content and load nothing
 * of it. An image reports the visit and its referring site. A style sheet requests a background image for each opened tag or media item
 * (functions/http/noscript-tracking).
 */
import type { Uuid } from "~/domain/shared/model";
import { isShopPath } from "../../store/storefront/path";

/** Properties of the loader data that this module reads. */
interface ReportedVisit {
  readonly reportHref: string;
  readonly scene: {
    readonly tags: readonly { readonly id: Uuid }[];
    readonly media: readonly { readonly id: Uuid }[];
  };
}

const isReportedVisit = (data: unknown): data is ReportedVisit =>
  typeof data === "object" && data !== null && "reportHref" in data && typeof data.reportHref === "string";

/**
 * Creates the HTML that reports a visit.
 * @param loaderData loader data of all routes of the page
 * @param url URL of the page
 * @param from host of the referring site, or empty; a placeholder on cached pages
 */
export function noscriptTracking(
  loaderData: Readonly<Record<string, unknown>>,
  url: URL,
  from: string,
): string {
  const reportedVisit = Object.values(loaderData).find(isReportedVisit);
  if (!reportedVisit) return "";
  const { reportHref, scene } = reportedVisit;
  const lists = isShopPath(url.pathname) ? { tags: [], media: [] } : scene;
  // `?tag=` also names a media item.
  const openEntryId = url.searchParams.get("tag");
  const openEntryQuery = (["tags", "media"] as const).flatMap((list) =>
    lists[list].some(({ id }) => id === openEntryId)
      ? [`&${list === "tags" ? "tag" : "media"}=${openEntryId}`]
      : [],
  );
  const hasEntries = lists.tags.length + lists.media.length > 0;
  const sheetHref = reportHref.replace("?", "/opened.css?").replaceAll("&", "&amp;");
  const sheet = hasEntries ? `<link rel="stylesheet" href="${sheetHref}">` : "";
  const src = `${reportHref}${openEntryQuery.join("")}&from=${from}`.replaceAll("&", "&amp;");
  return `<noscript>${sheet}<img alt="" width="1" height="1" class="absolute" src="${src}"></noscript>`;
}

/** Appends HTML to the end of a page. */
export const appendHtml = (page: ReadableStream<Uint8Array>, html: string): ReadableStream<Uint8Array> =>
  html === ""
    ? page
    : page.pipeThrough(
        new TransformStream({ flush: (controller) => controller.enqueue(new TextEncoder().encode(html)) }),
      );
