/** What reports need from the outside. */

import type { GrainRange } from "~/domain/analytics/report-period";
import type { Grain } from "~/domain/analytics/visit";
import type { VisitNumbers } from "~/domain/analytics/visit-tally";
import type { Localized, SpaceSource, Uuid } from "~/domain/shared/model";

/** What a report is about: one event, all events of a space, or all of the spaces that an account owns. */
export type ReportScope =
  | { readonly kind: "event"; readonly id: Uuid }
  | { readonly kind: "space"; readonly id: Uuid }
  | { readonly kind: "account"; readonly id: Uuid };

/** A scope of more than one event. */
export type ManyEvents = Exclude<ReportScope, { readonly kind: "event" }>;

/** What is known of a scope before its numbers are read. */
export interface ScopeRecord {
  /** Of the event or the space; empty for an account. */
  readonly name: string;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
  /** The owner's, in which days are counted. */
  readonly timeZone: string;
  /** Of the one space; null for an account. */
  readonly source: SpaceSource | null;
}

/** The numbers of one hour, day, month or year of a scope. */
export interface ScopeTotal {
  readonly grain: Grain;
  readonly period: string;
  readonly numbers: VisitNumbers;
}

/** How much of what a period is about. */
export interface ScopePart {
  /** See partName. */
  readonly name: string;
  readonly count: number;
  /** One of the events that it is from. */
  readonly eventId: Uuid;
}

/** An event of a scope with its numbers. */
export interface ScopeEvent {
  readonly id: Uuid;
  readonly name: string;
  readonly spaceId: Uuid;
  readonly spaceName: string;
  readonly visits: number;
  readonly visitors: number;
}

/** What numbers are asked for. */
export interface ReportQuery {
  readonly scope: ReportScope;
  /** Sums of each hour, day, month or year in these. */
  readonly totals: readonly GrainRange[];
  /** What the numbers of these are about. */
  readonly parts: GrainRange;
  /** The most visited events in `parts`; 0 for none. */
  readonly events: number;
  /** Minutes since 1970 in which somebody was there lately. */
  readonly live: { readonly first: number; readonly last: number };
}

/** What was asked for. */
export interface ReportRows {
  readonly totals: readonly ScopeTotal[];
  /** Those that count most first. */
  readonly parts: readonly ScopePart[];
  readonly events: readonly ScopeEvent[];
  readonly live: number;
}

/** The names of things; those that are gone for good have none. */
export interface ReportNames {
  readonly tags: Readonly<Record<Uuid, Localized>>;
  readonly media: Readonly<Record<Uuid, Localized>>;
  /** By their numbers in their stores. */
  readonly products: Readonly<Record<string, Localized | string>>;
}
