import type { EventStatusId } from "~/domain/shared/model";
import type { PageNamespace } from "~/i18n/load";
import type { Translate } from "~/i18n/messages";

/** Content of the top bar for a page. */
export interface TopBarContent {
  readonly title?: string;
  /** Status button of event pages: the status, and when the event opens by itself, in words. */
  readonly status?: { readonly statusId: EventStatusId; readonly opens: string | null };
}

/** `handle` that a route may export. */
export interface RouteHandle {
  /** Namespaces of the messages that the route needs. They load with its module (scripts/lib/route-namespaces.ts). */
  readonly i18n?: readonly PageNamespace[];
  /** Called with the route's loader data. */
  // biome-ignore lint/suspicious/noExplicitAny: each route knows its own loader data
  readonly topBar?: (data: any, t: Translate) => TopBarContent;
  /** The page is a stage that fills the window, without a footer. */
  readonly stage?: boolean;
}
