import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { createEventSchema } from "~/domain/events/event.schema";
import { type ConflictRow, conflictRows } from "~/domain/events/event-changes";
import {
  EVENT_FORM_SECRETS,
  eventFormInput,
  statusNotice,
  UPDATE_FAILURE_KEYS,
  waitForStartValues,
} from "~/domain/events/event-form";
import { EVENT_STATUS, statusAt } from "~/domain/events/status";
import { applyParamIntent, PREVIEW_PARAMS, previewUrlParams } from "~/domain/events/url-param-form";
import { hasUrlParamEffect } from "~/domain/events/url-param-groups";
import { showcaseUrl } from "~/domain/events/url-params";
import type { Event, Uuid } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import type { ConnectionTest } from "~/domain/store/store";
import { isSavableConnection, TEST_STORE, USE_STORE } from "~/domain/store/store-connection";
import { SHOWN_NOTICE, WAIT_FOR_START } from "~/forms/events/status-note";
import { fillOpenNow, readEventForm, writeParams } from "~/forms/shared/event-form-data";
import { rejectForm } from "~/forms/shared/reject-form";
import { sealUndo } from "../../folders/undo.server";
import { uuidParam } from "../../shared/uuid-param";
import { submitOwnStore } from "../../store/settings/own-stores.server";
import { fillTestedToken, sealTestedToken } from "../../store/settings/tested-token.server";
import { readLinkMode, TRY_LINK, withoutSecrets } from "./event-page";

/** Differences from the version that another editor saved meanwhile. */
export interface EventFormConflict {
  /** Version to submit in order to overwrite the saved values. */
  readonly version: number;
  readonly rows: readonly ConflictRow[];
}

const DATE_INTENT = /^(clear|undo):(startDate|endDate)$/;

/**
 * Saves the event form. Without scripts it also clears or restores one of the dates (specification §2) or URL parameters, fills in the values of an event
 * that waits for its start, previews the URL parameters, or tests the store's connection. Invalid input returns 400 with all typed values except secrets.
 * A stale version returns 409 with both versions, and nothing is written.
 */
export async function saveEvent(args: ActionFunctionArgs, form: FormData) {
  if (form.get("intent") === TRY_LINK) return tryLink(args, form);
  if (form.get("intent") === USE_STORE) return submitOwnStore(args, form);
  const { request, params, context } = args;
  const { actor, user } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { services, now } = context;
  const { urlParams } = context.site;
  const { event, space } = await services.events.getEvent({ actor, eventId });
  const { timeZone } = user;

  const intent = String(form.get("intent") ?? "");
  // A store's token that was tested is sent to the form and back in encrypted form, so that it need not be typed again.
  const usesTestedToken = await fillTestedToken(context, eventId, form);
  const storeTest = intent === TEST_STORE ? await testStore(context, actor, eventId, form) : null;
  const testedStore = (storeTest ? isSavableConnection(storeTest) : usesTestedToken)
    ? await sealTestedToken(context, eventId, form)
    : null;
  const dateIntent = DATE_INTENT.exec(intent);
  if (dateIntent) {
    const name = dateIntent[2] as "startDate" | "endDate";
    form.set(name, dateIntent[1] === "clear" ? "" : toLocalInput(event[name], timeZone));
  }
  const initialInput = eventFormInput(event, timeZone, urlParams.availableParams);
  const resetParams = applyParamIntent(intent, readEventForm(form), initialInput);
  if (resetParams) writeParams(form, resetParams);
  const opensNow = fillOpenNow(form, now, timeZone);
  const waitingValues = intent === WAIT_FOR_START ? waitForStartValues(event) : null;
  for (const [name, value] of Object.entries(waitingValues ?? {})) form.set(name, String(value));
  const opensWithoutWarning =
    intent === "update" && opensBeforeStartUnwarned(form, event, context.now, timeZone);
  form.delete("intent");

  const hasSavedStoreToken = event.spAccessToken !== null;
  const schema = createEventSchema({
    now,
    timeZone,
    lang: context.lang,
    saved: withoutSecrets(event),
    opensNow,
    hasSavedStoreToken,
    urlParams,
    isAllowedLocalHost: (host) => context.site.storeHosts.includes(host),
  });
  const submission = parseWithZod(form, { schema });
  // Without scripts, the field `…Again` states what becomes of a secret that was typed or tested before.
  const typedSecrets = EVENT_FORM_SECRETS.filter(
    (name) => form.get(name) || ["type", "tested"].includes(String(form.get(`${name}Again`))),
  );
  const response = {
    conflict: null as EventFormConflict | null,
    typedSecrets,
    storeTest,
    testedStore,
    paramPreview: null as string | null,
  };
  const reply = (formErrors?: string[]) =>
    submission.reply({ hideFields: [...EVENT_FORM_SECRETS] as never, ...(formErrors && { formErrors }) });
  const respondWithTypedValues = () => {
    const typedValues = Object.entries(submission.payload).filter(([name]) => !isSecret(name));
    const initialValue = Object.fromEntries(typedValues);
    return data({ ...response, lastResult: { initialValue } as SubmissionResult<string[]> });
  };
  if (intent === PREVIEW_PARAMS && hasUrlParamEffect(space.source)) {
    const { values, errors } = previewUrlParams(urlParams, readEventForm(form));
    if (Object.keys(errors).length > 0) return data({ ...response, lastResult: reply() }, { status: 400 });
    response.paramPreview = showcaseUrl(space.sid, values, context.lang);
    return respondWithTypedValues();
  }
  if (dateIntent || resetParams || storeTest || waitingValues) return respondWithTypedValues();
  if (submission.status !== "success") return data({ ...response, lastResult: reply() }, { status: 400 });
  if (opensWithoutWarning) return respondWithTypedValues();

  const { value } = submission;
  const save = () => context.attempt(services.events.updateEvent({ actor, eventId, values: value }));
  let result: Awaited<ReturnType<typeof save>>;
  try {
    result = await save();
  } catch (error) {
    // The typed values must not be lost to an error page.
    context.reportError(error);
    return data({ ...response, lastResult: reply([...UPDATE_FAILURE_KEYS]) }, { status: 500 });
  }
  if (!result.ok) {
    const { status } = result.failure;
    if (status === 404) throw new Response(null, { status, statusText: "Not Found" });
    const lastResult = rejectForm(submission as never, result.failure, [...EVENT_FORM_SECRETS] as never);
    return data({ ...response, lastResult }, { status });
  }
  if (result.value.status === "conflict") {
    const { saved } = result.value;
    const conflict = { version: saved.version, rows: conflictRows(saved, value, timeZone) };
    return data({ ...response, conflict, lastResult: reply() }, { status: 409 });
  }
  if (result.value.status === "unchanged" && !opensNow)
    return data({ ...response, lastResult: reply(["events:nothingChanged"]) }, { status: 400 });
  const query = new URL(request.url).searchParams;
  for (const name of ["dialog", "undo"]) query.delete(name);
  const startsLater = isOpenBeforeStart(form, event, now, timeZone);
  if (startsLater)
    query.set("undo", sealUndo(context, actor, { act: "waitUntilStart", eventId, statusId: event.statusId }));
  query.set("toast", startsLater ? "event-open-early" : opensNow ? "event-opened" : "event-updated");
  throw redirect(`/event/${eventId}?${query}`);
}

/** Whether a form without scripts would open the event before its start date although the form did not display the warning about it. */
function opensBeforeStartUnwarned(form: FormData, event: Event, now: number, timeZone: string): boolean {
  if (form.get(SHOWN_NOTICE) !== null || statusAt(event, now) === EVENT_STATUS.published) return false;
  return isOpenBeforeStart(form, event, now, timeZone);
}

/** Whether the submitted status and dates open the event before its start date. */
function isOpenBeforeStart(form: FormData, event: Event, now: number, timeZone: string): boolean {
  const readText = (name: string) => String(form.get(name) ?? "");
  const choice = {
    statusId: readText("statusId"),
    startDate: readText("startDate"),
    endDate: readText("endDate"),
    enableAutoChangeStatus: readText("enableAutoChangeStatus"),
  };
  return statusNotice(choice, { timeZone, now, saved: event })?.kind === "opensNow";
}

/** Opens a link in the window of the form, and records that the owner tried it. A closed link leads back to the panel of the links. */
async function tryLink({ params, context }: ActionFunctionArgs, form: FormData) {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const mode = readLinkMode(form);
  const token = await context.services.events.tryLink({ actor, eventId, mode });
  throw redirect(
    token === null
      ? `/event/${eventId}?panel=links`
      : `/event/${mode}/${eventId}?${new URLSearchParams({ token })}`,
  );
}

const isSecret = (name: string) => (EVENT_FORM_SECRETS as readonly string[]).includes(name);

/** Tests the connection to the store that a form names. The form's values are sent only to that store. */
export function testStore(
  { services }: AppLoadContext,
  actor: Actor,
  eventId: Uuid,
  form: FormData,
): Promise<ConnectionTest> {
  const readText = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return services.shop.testConnection({
    actor,
    eventId,
    storeUrl: readText("spStoreUrl"),
    token: readText("spAccessToken"),
  });
}
