import type { EventStatusId } from "~/domain/shared/model";
import type { PageNamespace } from "~/i18n/load";
import type { Translate } from "~/i18n/messages";
import type { PagePart } from "~/i18n/page-part";

/** Content of the top bar for a page. */
export interface TopBarContent {
  readonly title?: string;
  /** Status button of event pages: the status, and when the event opens by itself, in words. */
  readonly status?: { readonly statusId: EventStatusId; readonly opens: string | null };
}

/** `handle` that a route may export. */
export interface RouteHandle {
  /** Namespaces of the messages that the route needs. They load with its module (scripts/lib/build/route-preloads.ts). */
  readonly i18n?: readonly PageNamespace[];
  /** Parts (components with scripts of their own) that the page of a URL shows. The page is hydrated when their scripts are loaded. */
  // biome-ignore lint/suspicious/noExplicitAny: each part has its own properties
  readonly parts?: (searchParams: URLSearchParams) => readonly PagePart<any>[];
  /** Called with the route's loader data. */
  // biome-ignore lint/suspicious/noExplicitAny: each route knows its own loader data
  readonly topBar?: (data: any, t: Translate) => TopBarContent;
  /** The page is a 3D view that fills the window, without a footer. */
  readonly stage?: boolean;
}
