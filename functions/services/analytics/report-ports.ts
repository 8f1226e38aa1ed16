/** Ports of reports. */

import type { GrainRange } from "~/domain/analytics/report-period";
import type { Grain } from "~/domain/analytics/visit";
import type { VisitNumbers } from "~/domain/analytics/visit-tally";
import type { Localized, SpaceSource, Uuid } from "~/domain/shared/model";

/** Scope of a report: one event, all events of a space, or all spaces of an account. */
export type ReportScope =
  | { readonly kind: "event"; readonly id: Uuid }
  | { readonly kind: "space"; readonly id: Uuid }
  | { readonly kind: "account"; readonly id: Uuid };

/** A scope of more than one event. */
export type ManyEvents = Exclude<ReportScope, { readonly kind: "event" }>;

/** Data of a scope that is read before its numbers. */
export interface ScopeRecord {
  /** Name of the event or the space; empty for an account. */
  readonly name: string | Localized;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
  /** Time zone of the owner, in which days are counted. */
  readonly timeZone: string;
  /** Source of the space; null for an account. */
  readonly source: SpaceSource | null;
}

/** The numbers of one hour, day, month or year of a scope. */
export interface ScopeTotal {
  readonly grain: Grain;
  readonly period: string;
  readonly numbers: VisitNumbers;
}

/** The count of one part in a range: of an item (a tag, a media item or a product), a place or a trait of visitors. */
export interface ScopePart {
  /** Key of the part, `kind:id` (partName). */
  readonly name: string;
  /** Number of visits; for a place, of seconds. */
  readonly count: number;
  /** One of the events in which the part was counted. */
  readonly eventId: Uuid;
}

/** An event of a scope with its numbers. */
export interface ScopeEvent {
  readonly id: Uuid;
  readonly name: Localized;
  readonly spaceId: Uuid;
  readonly spaceName: string;
  readonly visits: number;
  readonly visitors: number;
}

/** The requested numbers. */
export interface ReportQuery {
  readonly scope: ReportScope;
  /** Ranges of hours, days, months or years for which sums are read. */
  readonly totals: readonly GrainRange[];
  /** Range for which the result's `parts` and `events` are read. */
  readonly parts: GrainRange;
  /** Maximum number of events: the most visited ones in `parts`; 0 for none. */
  readonly events: number;
  /** Minutes since 1970 that count as live. */
  readonly live: { readonly first: number; readonly last: number };
}

/** Result rows of a report query. */
export interface ReportRows {
  readonly totals: readonly ScopeTotal[];
  /** Parts with the highest counts first. */
  readonly parts: readonly ScopePart[];
  readonly events: readonly ScopeEvent[];
  /** Number of visitors who sent a signal in the minutes of `live` of the query. */
  readonly live: number;
}

/** A change of an event that can explain its visits. */
export interface ExplainingChange {
  readonly eventId: Uuid;
  /** Instant; for new tags and media, the minute, because those of one minute are counted together. */
  readonly at: string;
  /** `mailed`: an editor started an email with the public link. */
  readonly kind: "published" | "closed" | "mailed" | "tags" | "media";
  readonly count: number;
}

/** The changes that a report asks for. */
export interface ChangesQuery {
  readonly events: readonly Uuid[];
  /** The event whose new tags and media are counted; null for none. */
  readonly additions: Uuid | null;
  /** First and last instant, compared as text. */
  readonly from: string;
  readonly to: string;
}

/** Names of items. Permanently deleted items have none. */
export interface ReportNames {
  readonly tags: Readonly<Record<Uuid, Localized>>;
  readonly media: Readonly<Record<Uuid, Localized>>;
  /** Names of products by their ids in their stores. */
  readonly products: Readonly<Record<string, Localized | string>>;
}
