import * as z from "zod";
import {
  type AddError,
  type FieldResult,
  field,
  formError,
  isMissing,
  localizedField,
  readFlag,
  readInteger,
  readText,
  versionField,
  withCrossFieldRules,
} from "../shared/fields.schema";
import { EVENT_DETAIL_MAX, PASSWORD_MAX, PUBLISH_PASSWORD_MIN, STORE_TOKEN_MAX } from "../shared/limits";
import type { Event, Instant, Lang } from "../shared/model";
import { countCodePoints, passwordKey, textProblem } from "../shared/text";
import { clockChangeAt, fromLocalInput, readLocal, toLocalInput } from "../shared/time-zone";
import { isOtherStoreSecret } from "../store/store-token";
import { readStoreUrl } from "../store/store-url";
import { eventNameField } from "./event-create.schema";
import {
  type EventFormInput,
  type EventFormValue,
  LOST_SECRET_CHOICES,
  type LostSecretChoice,
  type PublishPasswordChange,
} from "./event-form";
import { EVENT_STATUS_IDS } from "./status";
import { findParamErrors, type ReadParam, readExtraParams, readNamedParams } from "./url-param-form";
import { parseUrlParams, type UrlParamDefinitions } from "./url-params";

/** Context that the rules of the event form need in addition to the form. */
export interface EventSchemaContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The account's time zone, in which dates are entered. */
  readonly timeZone: string;
  /** Language of the page that contains the form; absent for other callers. */
  readonly lang?: Lang;
  /** The saved event; null for a new one. Its secrets may be omitted. */
  readonly saved: Event | null;
  /** Whether the save must leave the event open. If so, an unchanged end that has passed is rejected too, if it would close the event. */
  readonly opensNow?: boolean;
  /**
   * Whether a store token is saved, which the form does not show. An empty field keeps it, as long as the store stays the same. A token
   * is never sent to another store than the one it was entered for.
   */
  readonly hasSavedStoreToken?: boolean;
  /** URL of the store whose tested token the form carries, if it does. If the form chooses it ("tested"), no token may be typed. */
  readonly testedStoreUrl?: string | null;
  /** The definitions of /url_params.json. */
  readonly urlParams: UrlParamDefinitions;
  /** Admits store hosts that are not public, by "host" or "host:port" (DEV_STORE_HOSTS, for local runs). */
  readonly isAllowedLocalHost?: (host: string) => boolean;
}

/** A date of the form with the properties that its rules need. */
interface ReadDate {
  readonly instant: Instant | null;
  readonly isChanged: boolean;
  /** Whether the date was entered to the minute, so that any time of the current minute counts as now. */
  readonly isTypedToMinute: boolean;
}

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
const NO_DATE: ReadDate = { instant: null, isChanged: false, isTypedToMinute: false };

function dateField(ctx: EventSchemaContext, name: "startDate" | "endDate") {
  const saved = ctx.saved?.[name] ?? null;
  const invalid = { error: `events:errors.${name}.invalid` };
  return field<ReadDate, string | null>((value) => {
    if (isMissing(value)) return { value: { ...NO_DATE, isChanged: saved !== null } };
    if (typeof value !== "string" || value.length > 40) return invalid;
    const localText = readLocal(value);
    // A field that still shows the saved date keeps the exact saved instant with its seconds, even if the local time occurs twice.
    if (saved !== null && (localText === saved || localText === toLocalInput(saved, ctx.timeZone))) {
      return { value: { instant: saved, isChanged: false, isTypedToMinute: false } };
    }
    // The local time is skipped by a clock change. A conversion would move it, so it is rejected.
    if (clockChangeAt(localText, ctx.timeZone) === "skipped")
      return { error: `events:errors.${name}.skipped` };
    let instant = fromLocalInput(localText, ctx.timeZone);
    if (instant === null && ISO_INSTANT.test(localText)) {
      const ms = Date.parse(localText);
      instant = ms >= 0 && ms < Date.UTC(10_000, 0) ? new Date(ms).toISOString() : null;
    }
    if (instant === null) return invalid;
    const isChanged = saved === null || Date.parse(saved) !== Date.parse(instant);
    return { value: { instant, isChanged, isTypedToMinute: localText.length === 16 } };
  });
}

function addDateErrors(
  start: ReadDate | undefined,
  end: ReadDate | undefined,
  now: number,
  closesAtEnd: boolean,
  add: AddError,
): void {
  const toTime = (date: ReadDate | undefined) => (date?.instant ? Date.parse(date.instant) : null);
  const [startMs, endMs] = [toTime(start), toTime(end)];
  if (
    startMs !== null &&
    start?.isChanged &&
    startMs < (start.isTypedToMinute ? Math.floor(now / 60_000) * 60_000 : now)
  ) {
    add(["startDate"], "events:errors.startDate.past");
  }
  if (startMs !== null && endMs !== null && startMs > endMs && (start?.isChanged || end?.isChanged)) {
    if (end?.isChanged) add(["endDate"], "events:errors.endDate.beforeStart");
    else add(["startDate"], "events:errors.startDate.afterEnd");
  } else if (endMs !== null && (end?.isChanged || closesAtEnd) && endMs < now) {
    add(["endDate"], "events:errors.endDate.past");
  }
}

function addPublishPasswordErrors(
  password: string | undefined,
  remove: boolean | undefined,
  add: AddError,
): void {
  if (password && remove) add(["publishPassword"], "events:errors.publishPassword.both");
}

const publishPasswordField = field<string, string | null | undefined>((value) => {
  if (isMissing(value)) return { value: "" };
  if (typeof value !== "string") return { error: "shared-owners:errors.field.invalid" };
  if (value.length > PASSWORD_MAX * 8) return { error: "events:errors.publishPassword.tooLong" };
  const password = passwordKey(value);
  const problem = textProblem(password);
  if (problem !== null) return { error: `shared-owners:errors.text.${problem}` };
  const length = countCodePoints(password);
  if (length < PUBLISH_PASSWORD_MIN) return { error: "events:errors.publishPassword.tooShort" };
  return length > PASSWORD_MAX ? { error: "events:errors.publishPassword.tooLong" } : { value: password };
});

/** Reads a store's token as typed. The value is null for none; the error is the key of a message. */
export function readStoreToken(enteredToken: unknown): FieldResult<string | null> {
  const text = readText(enteredToken, {
    max: STORE_TOKEN_MAX,
    tooLong: "store:errors.spAccessToken.tooLong",
  });
  if ("error" in text) return text;
  if (text.value === "") return { value: null };
  if (!/^[\x21-\x7e]+$/.test(text.value)) return { error: "store:errors.spAccessToken.invalid" };
  return isOtherStoreSecret(text.value)
    ? { error: "store:errors.spAccessToken.notStorefront" }
    : { value: text.value };
}

const storeTokenField = field<string | null, string | null | undefined>(readStoreToken);

const lostSecretField = (...otherChoices: readonly LostSecretChoice[]) =>
  field<LostSecretChoice | null, string | null | undefined>((value) => {
    if (isMissing(value)) return { value: null };
    const choice = [...LOST_SECRET_CHOICES, ...otherChoices].find(
      (lostSecretChoice) => lostSecretChoice === value,
    );
    return choice === undefined ? { error: "shared-owners:errors.field.invalid" } : { value: choice };
  });

/**
 * Returns the message key for a lost secret: its field is still empty, or it is filled although the user chose the saved or the tested one; null without
 * an error.
 */
function lostSecretProblem(
  choice: LostSecretChoice | null | undefined,
  isEmpty: boolean,
  isNeeded: boolean,
): string | null {
  if (!choice) return null;
  if (isEmpty) return choice !== "keep" && isNeeded ? "store:errors.secret.again" : null;
  return choice === "type" ? null : "store:errors.secret.both";
}

function storeUrlField(ctx: EventSchemaContext) {
  return field<string | null, string | null | undefined>((value) => {
    const text = readText(value, { max: 1024, tooLong: "store:errors.spStoreUrl.tooLong" });
    if ("error" in text) return text;
    if (text.value === "") return { value: null };
    const result = readStoreUrl(text.value, ctx.isAllowedLocalHost);
    return "error" in result ? { error: result.error } : { value: result.origin };
  });
}

const statusField = field<Event["statusId"], string | number>((value) => {
  const id = readInteger(value, 1, 4);
  const status = EVENT_STATUS_IDS.find((statusId) => statusId === id);
  return status === undefined ? { error: "events:errors.statusId.invalid" } : { value: status };
});

/** The details of an event, with at most EVENT_DETAIL_MAX characters in each language. */
export const eventDetailField = localizedField({
  max: EVENT_DETAIL_MAX,
  tooLong: "events:errors.eventDetail.tooLong",
  multiline: true,
});

interface ReadParams {
  readonly entries: readonly ReadParam[];
}

function paramsField(read: (value: unknown) => ReadParams["entries"] | null) {
  return field<ReadParams>((value) => {
    const entries = isMissing(value) ? [] : read(value);
    return entries === null ? { error: "events:errors.urlParams.invalid" } : { value: { entries } };
  });
}

const namedParamsField = paramsField(readNamedParams);
const extraParamsField = paramsField(readExtraParams);

/**
 * The whole event form (specification §2, §5), from EventFormInput to EventFormValue. The browser, the action and the API apply the same rules; only the database
 * knows whether a name is taken. An unchanged date may be in the past, apart from the case of `opensNow`.
 */
export function createEventSchema(ctx: EventSchemaContext): z.ZodType<EventFormValue, EventFormInput> {
  const fields = z.object(
    {
      version: versionField,
      eventName: eventNameField(ctx.lang),
      startDate: dateField(ctx, "startDate"),
      endDate: dateField(ctx, "endDate"),
      statusId: statusField,
      enableAutoChangeStatus: field(readFlag),
      eventDetail: eventDetailField,
      spStoreUrl: storeUrlField(ctx),
      spAccessToken: storeTokenField,
      publishPassword: publishPasswordField,
      removePublishPassword: field(readFlag),
      showBeforePassword: field(readFlag),
      publishPasswordAgain: lostSecretField(),
      spAccessTokenAgain: lostSecretField("tested"),
      urlParams: namedParamsField,
      extraParams: extraParamsField,
    },
    formError,
  );
  const checkedFields = withCrossFieldRules(fields, (value, add) => {
    // A form that started from an older version gets a conflict response with both versions, so its dates are not checked against the
    // changes that others saved since.
    if (!isStale(ctx, value.version)) {
      const closesAtEnd = Boolean(ctx.opensNow && value.enableAutoChangeStatus);
      addDateErrors(value.startDate, value.endDate, ctx.now, closesAtEnd, add);
    }
    addPublishPasswordErrors(value.publishPassword, value.removePublishPassword, add);
    const { publishPassword, spAccessToken } = value;
    const passwordProblem =
      publishPassword !== undefined &&
      lostSecretProblem(value.publishPasswordAgain, publishPassword === "", !value.removePublishPassword);
    if (passwordProblem) add(["publishPassword"], passwordProblem);
    const isTested =
      value.spAccessTokenAgain === "tested" &&
      spAccessToken === null &&
      value.spStoreUrl !== null &&
      value.spStoreUrl === ctx.testedStoreUrl;
    const tokenProblem =
      spAccessToken !== undefined &&
      !isTested &&
      lostSecretProblem(value.spAccessTokenAgain, spAccessToken === null, value.spStoreUrl !== null);
    if (tokenProblem) add(["spAccessToken"], tokenProblem);
    else if (value.spStoreUrl && spAccessToken === null && !isTested && !keepsStoreToken(ctx, value))
      add(["spAccessToken"], "store:errors.spAccessToken.missing");
    if (value.spAccessToken && value.spStoreUrl === null)
      add(["spStoreUrl"], "store:errors.spStoreUrl.missing");
    const params = [...(value.urlParams?.entries ?? []), ...(value.extraParams?.entries ?? [])];
    for (const { path, key } of findParamErrors(ctx.urlParams, params)) add(path, key);
  });
  const schema = checkedFields.transform((value): EventFormValue => {
    const {
      removePublishPassword,
      extraParams,
      publishPasswordAgain: _1,
      spAccessTokenAgain: _2,
      ...rest
    } = value;
    const entries = [...value.urlParams.entries, ...extraParams.entries].map(({ entry }) => entry);
    return {
      ...rest,
      startDate: value.startDate.instant,
      endDate: value.endDate.instant,
      spAccessToken: keepsStoreToken(ctx, value) ? undefined : value.spAccessToken,
      publishPassword: passwordChange(value.publishPassword, removePublishPassword),
      urlParams: parseUrlParams(ctx.urlParams, entries).values,
    };
  });
  return schema as unknown as z.ZodType<EventFormValue, EventFormInput>;
}

const isStale = (ctx: EventSchemaContext, version: number | undefined) =>
  ctx.saved !== null && version !== undefined && version !== ctx.saved.version;

/** Whether a store keeps the saved token when the form contains none. */
function keepsStoreToken(
  ctx: EventSchemaContext,
  form: {
    readonly version?: number;
    readonly spStoreUrl?: string | null;
    readonly spAccessToken?: string | null;
  },
): boolean {
  if (!form.spStoreUrl || form.spAccessToken !== null) return false;
  if (isStale(ctx, form.version)) return true;
  return ctx.hasSavedStoreToken === true && form.spStoreUrl === ctx.saved?.spStoreUrl;
}

function passwordChange(password: string, remove: boolean): PublishPasswordChange {
  if (password !== "") return { action: "set", password };
  return { action: remove ? "remove" : "keep" };
}
