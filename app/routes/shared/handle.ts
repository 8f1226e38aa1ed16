import type { EventStatusId } from "~/domain/shared/model";
import type { PageNamespace } from "~/i18n/load";
import type { Translate } from "~/i18n/messages";

/** What a screen puts into the top bar. */
export interface TopBarContent {
  readonly title?: string;
  /** The status button of event pages, and the address that opens its dialog. */
  readonly status?: { readonly statusId: EventStatusId; readonly href: string };
}

/** The `handle` that a route may export. */
export interface RouteHandle {
  /** Namespaces of the messages that the route needs. They load with its module (scripts/lib/route-namespaces.ts). */
  readonly i18n?: readonly PageNamespace[];
  /** From the route's own loader data. */
  // biome-ignore lint/suspicious/noExplicitAny: each route knows its own loader data
  readonly topBar?: (data: any, t: Translate) => TopBarContent;
  /** The screen is a stage that fills the window: nothing stands below it. */
  readonly stage?: boolean;
}
