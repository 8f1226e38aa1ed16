/**
 * How a visit is told of where no scripts run (decision 030), behind the page, in a <noscript>: nothing of it is parsed or fetched where they do. A picture
 * says that somebody is there, and which site led here; what is opened is told by a style sheet (http/noscript-tracking).
 */
import type { Uuid } from "~/domain/shared/model";
import { isShopPath } from "../../store/storefront/path";

/** What of the page's data it needs. */
interface Told {
  readonly tell: string;
  readonly scene: {
    readonly tags: readonly { readonly id: Uuid }[];
    readonly media: readonly { readonly id: Uuid }[];
  };
}

const isTold = (data: unknown): data is Told =>
  typeof data === "object" && data !== null && "tell" in data && typeof data.tell === "string";

/**
 * @param loaderData of all routes of the page
 * @param url of the page
 * @param from the host that led here; empty for none; of a page that is kept what stands for it
 */
export function noscriptTracking(
  loaderData: Readonly<Record<string, unknown>>,
  url: URL,
  from: string,
): string {
  const told = Object.values(loaderData).find(isTold);
  if (!told) return "";
  const { tell, scene } = told;
  const lists = isShopPath(url.pathname) ? { tags: [], media: [] } : scene;
  const asked = url.searchParams.get("tag");
  const shown = (["tags", "media"] as const).flatMap((list) =>
    lists[list].some(({ id }) => id === asked) ? [`&${list === "tags" ? "tag" : "media"}=${asked}`] : [],
  );
  const isList = lists.tags.length + lists.media.length > 0;
  const rules = tell.replace("?", "/opened.css?").replaceAll("&", "&amp;");
  const sheet = isList ? `<link rel="stylesheet" href="${rules}">` : "";
  const src = `${tell}${shown.join("")}&from=${from}`.replaceAll("&", "&amp;");
  return `<noscript>${sheet}<img alt="" width="1" height="1" class="absolute" src="${src}"></noscript>`;
}

/** A page with something behind it. */
export const followedBy = (page: ReadableStream<Uint8Array>, html: string): ReadableStream<Uint8Array> =>
  html === ""
    ? page
    : page.pipeThrough(
        new TransformStream({ flush: (behind) => behind.enqueue(new TextEncoder().encode(html)) }),
      );
