import * as z from "zod";
import type { Services } from "#functions/services";
import { reportJson } from "#functions/services/analytics/report-json";
import type { ReportScope } from "#functions/services/analytics/reports";
import {
  isLocalDate,
  type LocalDate,
  REPORT_PERIODS,
  type ReportPeriod,
} from "~/domain/analytics/report-period";
import { GRAINS } from "~/domain/analytics/visit";
import { VISIT_NUMBERS } from "~/domain/analytics/visit-tally";
import type { Actor } from "~/domain/auth/actor";
import { field } from "~/domain/shared/fields.schema";
import { call, type JsonOf } from "../core/call";
import { fieldName } from "../core/field-name";
import { choice, optional } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { deletedJson } from "../core/record-json";
import { count, DeletedSchema, eventNameFields, id, localized, vec3 } from "../core/schemas";

const numbers = z
  .record(z.string(), z.number())
  .meta({ description: `By name: ${VISIT_NUMBERS.map((name) => `\`${fieldName(name)}\``).join(", ")}.` });
const point = z.object({ period: z.string(), numbers });
const day = z.string().meta({ examples: ["2026-04-01"] });
const knownName = z.object({ ja: z.string().nullable(), en: z.string().nullable() }).meta({
  id: "KnownName",
  description:
    "A name in both languages. Null in a language without a name, and for a product in a language in which no visitor has seen it.",
});
const visitedItems = z.array(
  z.object({
    id: z.string().meta({ description: "`*` for all that were not counted individually." }),
    name: z.union([knownName, z.string()]).nullable(),
    event_uuid: id,
    count,
  }),
);
const traits = z.array(z.object({ code: z.string(), count }));

const ReportSchema = z
  .object({
    kind: z.enum(["event", "space", "account"]),
    uuid: id,
    name: z.string().meta({ description: "For an event: as `event_name`." }),
    time_zone: z.string(),
    period: z.object({
      kind: z.enum(REPORT_PERIODS),
      from: day.nullable(),
      to: day.nullable(),
      previous: day.nullable().meta({ description: "A day of the previous period." }),
      next: day.nullable(),
      is_running: z.boolean(),
    }),
    numbers: z.record(
      z.string(),
      z.object({ value: z.number(), before: z.number().nullable(), change: z.number().nullable() }),
    ),
    series: z.object({ grain: z.enum(GRAINS), points: z.array(point), before: z.array(point) }),
    tags: visitedItems,
    media: visitedItems,
    products: visitedItems,
    carts: visitedItems,
    funnel: z.array(
      z.object({ step: z.enum(["visitor", "tag", "product", "cart", "checkout"]), visitors: count }),
    ),
    languages: traits,
    devices: traits,
    countries: traits,
    referrers: traits,
    places: z
      .object({
        nodes: z.array(z.object({ id: z.string(), title: localized, position: vec3, seconds: z.number() })),
        cells: z.array(z.object({ position: vec3, seconds: z.number() })),
        cell_size: z.number().meta({ description: "Metres." }),
        elsewhere: z.number().meta({ description: "Seconds at unknown positions." }),
      })
      .nullable(),
    events: z.array(
      z.object({
        uuid: id,
        ...eventNameFields,
        space_uuid: id,
        space_name: z.string(),
        visits: count,
        visitors: count,
      }),
    ),
    marks: z
      .array(
        z.object({
          period: z.string(),
          kind: z.enum(["published", "closed", "mailed", "tags", "media"]),
          event_uuid: id,
          count,
        }),
      )
      .meta({
        description:
          "Changes of these events, by the points of the series: changes of status, started emails with the public link, and, in the report of one event, added tags and media.",
      }),
    live: count.meta({ description: "Visitors who were active in the last minutes." }),
    missing: z
      .object({
        since: z
          .string()
          .nullable()
          .meta({ description: "All visits until this instant are in the report; null if that is unknown." }),
      })
      .nullable()
      .meta({
        description:
          "Visits that are stored but cannot be counted at the moment; null when none are missing. Request the report again later.",
      }),
    lost: z
      .object({
        since: z.string().meta({ description: "Instant of the first of these visits." }),
        until: z.string().meta({ description: "Instant of the last of these visits." }),
      })
      .nullable()
      .meta({
        description:
          "For one event: the time for which single visits could not be stored. They are missing in the export of visits. All numbers contain them. Null when none are missing.",
      }),
  })
  .meta({
    id: "Report",
    description:
      "Visitors are the sum of the visitors of each day, because a visitor is recognized for one day only. The visitors of an hour are those first seen that day in this hour.",
  });

const reportQuery = z.object({
  format: choice(["json"], "Only JSON is available here. The report's page offers CSV."),
  period: choice(REPORT_PERIODS, "All time, a day, a week, a month or a year."),
  at: optional(
    field<LocalDate>((value) =>
      typeof value === "string" && isLocalDate(value)
        ? { value }
        : { error: "shared-owners:errors.field.invalid" },
    ),
    {
      type: "string",
      format: "date",
      description: "A day of the period, in the owner's time zone; today by default.",
    },
  ),
});

const REPORT_CALL = {
  response: ReportSchema,
  query: reportQuery,
  tag: "reports",
  method: "GET",
  who: "user",
} as const;

const getReport = async (
  services: Services,
  actor: Actor,
  scope: ReportScope,
  { period = "all", at }: { readonly period?: ReportPeriod; readonly at?: LocalDate },
): Promise<JsonOf<typeof ReportSchema>> =>
  reportJson(await services.reports.report({ actor, scope, period, at }));

/** Reports of visits (specification §9), the number of current visitors, and the deletion of visits. */
export const reportCalls = [
  call({
    ...REPORT_CALL,
    id: "getEventReport",
    path: "/v1/events/{uuid}/report",
    summary: "Get the report of an event",
    may: PERMISSION_TEXTS.event,
    handle: ({ services, actor, params, query }) =>
      getReport(services, actor, { kind: "event", id: params.uuid }, query),
  }),

  call({
    ...REPORT_CALL,
    id: "getSpaceReport",
    path: "/v1/spaces/{uuid}/report",
    summary: "Get the report of all events of a space",
    may: PERMISSION_TEXTS.shared,
    handle: ({ services, actor, params, query }) =>
      getReport(services, actor, { kind: "space", id: params.uuid }, query),
  }),

  call({
    ...REPORT_CALL,
    id: "getAccountReport",
    path: "/v1/account/report",
    summary: "Get the report of all of the caller's events",
    may: PERMISSION_TEXTS.own,
    handle: ({ services, actor, query }) =>
      getReport(services, actor, { kind: "account", id: actor.userId }, query),
  }),

  call({
    id: "countLiveVisitors",
    method: "GET",
    path: "/v1/events/{uuid}/visitors",
    tag: "reports",
    summary: "Get the number of visitors of an event in the last minutes",
    who: "user",
    may: PERMISSION_TEXTS.event,
    response: z.object({ live: count }).meta({ id: "LiveVisitors" }),
    handle: async ({ services, actor, params }) => ({
      live: await services.reports.liveVisitors({ actor, scope: { kind: "event", id: params.uuid } }),
    }),
  }),

  call({
    id: "deleteVisits",
    method: "DELETE",
    path: "/v1/events/{uuid}/visits",
    tag: "reports",
    summary: "Delete all visits of an event permanently",
    who: "user",
    may: "Users who may delete the event.",
    response: DeletedSchema,
    problems: ["forbidden"],
    handle: async ({ services, actor, params: { uuid: eventId } }) => {
      await services.visits.deleteVisits({ actor, eventId });
      return deletedJson(eventId);
    },
  }),
];
