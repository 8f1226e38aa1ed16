import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { createEventSchema } from "~/domain/event.schema";
import { type ConflictRow, conflictRows } from "~/domain/event-changes";
import { EVENT_FORM_SECRETS, type LostSecretChoice } from "~/domain/event-form";
import type { ConnectionTest } from "~/domain/store";
import { toLocalInput } from "~/domain/time-zone";
import { TEST_STORE } from "~/forms/connection-test";
import { refuse } from "~/forms/result";
import { uuidParam } from "../shared/ids";
import { withoutSecrets } from "./event-page";

/** Somebody else saved in between: what differs, for the form that came back. */
export interface Conflict {
  /** The version to name when one's own values are to be saved after all. */
  readonly version: number;
  readonly rows: readonly ConflictRow[];
}

const DATE_INTENT = /^(clear|undo):(startDate|endDate)$/;

/**
 * Saves the event form, or without scripts clears or restores one of its dates, or tests the connection to its store (§2). 400 with everything kept when it is
 * not valid, 409 with both versions when somebody else saved in between; then nothing was written.
 */
export async function saveEvent({ params, context }: ActionFunctionArgs, form: FormData) {
  const { actor, user } = await context.requireSession();
  const eventId = uuidParam(params.uuid);
  const { services, now, urlParams } = context;
  const { event } = await services.events.getEvent({ actor, eventId });
  const { timeZone } = user;

  const dateIntent = DATE_INTENT.exec(String(form.get("intent") ?? ""));
  if (dateIntent) {
    const name = dateIntent[2] as "startDate" | "endDate";
    form.set(name, dateIntent[1] === "clear" ? "" : toLocalInput(event[name], timeZone));
  }
  const isTest = form.get("intent") === TEST_STORE;
  form.delete("intent");

  const hasSavedStoreToken = event.spAccessToken !== null;
  const schema = createEventSchema({
    now,
    timeZone,
    saved: withoutSecrets(event),
    hasSavedStoreToken,
    urlParams,
    isAllowedStoreHost: (host) => context.storeHosts.includes(host),
  });
  const submission = parseWithZod(form, { schema });
  const typedSecrets = EVENT_FORM_SECRETS.filter(
    (name) => form.get(name) || form.get(`${name}Again`) === ("type" satisfies LostSecretChoice),
  );
  const answer = {
    conflict: null as Conflict | null,
    connection: null as ConnectionTest | null,
    typedSecrets,
  };
  const reply = (formErrors?: string[]) =>
    submission.reply({ hideFields: [...EVENT_FORM_SECRETS] as never, ...(formErrors && { formErrors }) });
  if (dateIntent || isTest) {
    const kept = Object.fromEntries(Object.entries(submission.payload).filter(([name]) => !isSecret(name)));
    const lastResult = { initialValue: kept } as SubmissionResult<string[]>;
    const connection = isTest ? await testStore({ params, context, form }) : null;
    return data({ ...answer, lastResult, connection });
  }
  if (submission.status !== "success") return data({ ...answer, lastResult: reply() }, { status: 400 });

  const { value } = submission;
  const save = () => context.attempt(services.events.updateEvent({ actor, eventId, values: value }));
  let result: Awaited<ReturnType<typeof save>>;
  try {
    result = await save();
  } catch (error) {
    // What was typed is worth more than a page that says so in its place.
    context.reportError(error);
    return data({ ...answer, lastResult: reply(["errors.event.updateFailed"]) }, { status: 500 });
  }
  if (!result.ok) {
    const { status } = result.failure;
    if (status === 404) throw new Response(null, { status, statusText: "Not Found" });
    const lastResult = refuse(submission as never, result.failure, [...EVENT_FORM_SECRETS] as never);
    return data({ ...answer, lastResult }, { status });
  }
  if (result.value.status === "conflict") {
    const { saved } = result.value;
    const conflict = { version: saved.version, rows: conflictRows(saved, value, timeZone) };
    return data({ ...answer, conflict, lastResult: reply() }, { status: 409 });
  }
  if (result.value.status === "unchanged")
    return data({ ...answer, lastResult: reply(["events.nothingChanged"]) }, { status: 400 });
  throw redirect(`/event/${eventId}?toast=event-updated`);
}

/** Asks the store that the form names for its name. Nothing is saved. */
async function testStore({
  params,
  context,
  form,
}: Pick<ActionFunctionArgs, "params" | "context"> & { readonly form: FormData }): Promise<ConnectionTest> {
  const { actor } = await context.requireSession();
  return context.services.shop.testConnection({
    actor,
    eventId: uuidParam(params.uuid),
    storeUrl: String(form.get("spStoreUrl") ?? ""),
    token: String(form.get("spAccessToken") ?? ""),
  });
}

const isSecret = (name: string) => (EVENT_FORM_SECRETS as readonly string[]).includes(name);
