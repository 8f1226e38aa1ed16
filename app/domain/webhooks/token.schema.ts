import * as z from "zod";
import { optionalPasswordField } from "../auth/passkey.schema";
import { DAY_MS } from "../shared/day";
import {
  type FieldResult,
  field,
  formError,
  isMissing,
  textField,
  uuidField,
  withCrossFieldRules,
} from "../shared/fields.schema";
import { TOKEN_NAME_MAX } from "../shared/limits";
import type { Instant, Uuid } from "../shared/model";
import { readTypedInstant } from "../shared/time-zone";
import { isScope, type Scope, withRead } from "./scopes";
import { TOKEN_DAYS, TOKEN_DAYS_MAX } from "./tokens";

/** Checks the submitted scopes, and adds `read`, which every token has. */
const scopesField = field<readonly Scope[], string | readonly string[] | null | undefined>((value) => {
  const list = isMissing(value) ? [] : [value].flat();
  return list.every(isScope) ? { value: withRead(list) } : { error: "webhooks:errors.token.scopes" };
});

/** Returns the message key for an invalid expiry of a token; null if it is valid. @param now epoch milliseconds */
export function tokenEndProblem(end: Instant, now: number): string | null {
  const ms = Date.parse(end);
  if (Number.isNaN(ms)) return "webhooks:errors.token.dateInvalid";
  if (ms <= now) return "webhooks:errors.token.datePast";
  // A token may be valid until the end of the day that is a year from now.
  return ms > now + (TOKEN_DAYS_MAX + 1) * DAY_MS ? "webhooks:errors.token.dateFar" : null;
}

/** Reads the expiry: the end of a typed day, or a typed time, in a time zone. */
function readLastDay(value: unknown, now: number, timeZone: string): FieldResult<Instant> {
  if (isMissing(value)) return { error: "webhooks:errors.token.dateRequired" };
  const end =
    typeof value === "string" && value.length <= 64 ? readTypedInstant(value, timeZone, { end: true }) : null;
  if (end === null) return { error: "webhooks:errors.token.dateInvalid" };
  const error = tokenEndProblem(end, now);
  return error === null ? { value: end } : { error };
}

/** A checked form for a new API token. */
export interface TokenValue {
  /** Created with the form, so that submitting it twice creates one token. */
  readonly id: Uuid;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Instant;
  /** "" for none. */
  readonly currentPassword: string;
}

/**
 * The form that creates an API token: {id, name, scopes, life, lastDay?, currentPassword?}. `life` is 30, 90 or 365 days, or "date": until the end of
 * `lastDay`, or until its time if it has one, in the account's time zone.
 * @param context.now epoch milliseconds
 */
export function createTokenSchema(context: { readonly now: number; readonly timeZone: string }) {
  const { now, timeZone } = context;
  const form = withCrossFieldRules(
    z.object(
      {
        id: uuidField,
        name: textField({
          max: TOKEN_NAME_MAX,
          required: "webhooks:errors.token.nameRequired",
          tooLong: "webhooks:errors.token.nameTooLong",
        }),
        scopes: scopesField,
        life: field<number | "date", string | number>((value) => {
          if (value === "date") return { value };
          const days = TOKEN_DAYS.find((tokenDays) => String(tokenDays) === String(value));
          return days === undefined ? { error: "webhooks:errors.token.life" } : { value: days };
        }),
        lastDay: field<unknown, string | null | undefined>((value) => ({ value })),
        currentPassword: optionalPasswordField,
      },
      formError,
    ),
    ({ life, lastDay }, add) => {
      const lastDayResult = life === "date" ? readLastDay(lastDay, now, timeZone) : null;
      if (lastDayResult && "error" in lastDayResult) add(["lastDay"], lastDayResult.error);
    },
  );
  return form.transform(({ id, name, scopes, life, lastDay, currentPassword }): TokenValue => {
    const lastDayResult = life === "date" ? readLastDay(lastDay, now, timeZone) : null;
    const expiresAt =
      lastDayResult && "value" in lastDayResult
        ? lastDayResult.value
        : new Date(now + Number(life) * DAY_MS).toISOString();
    return { id, name, scopes, expiresAt, currentPassword };
  });
}

/** The form that revokes a token: {token}. */
export const createRevocationSchema = () => z.object({ token: uuidField }, formError);
