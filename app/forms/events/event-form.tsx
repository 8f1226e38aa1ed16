import { type FormMetadata, getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useNavigation } from "@remix-run/react";
import { type FormEvent, useEffect, useState } from "react";
import { Button, ButtonRow, DefaultSubmit, LinkButton } from "~/components/button";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { CopyField } from "~/components/fields/copy-field";
import { DateTimeField } from "~/components/fields/date-time-field";
import { PasswordField } from "~/components/fields/password-field";
import { RadioCards } from "~/components/fields/radio-cards";
import { Notice } from "~/components/status/notice";
import { StatusShape } from "~/components/status/status";
import { useHydrated } from "~/components/use-hydrated";
import { createEventSchema } from "~/domain/events/event.schema";
import { eventNameField } from "~/domain/events/event-create.schema";
import type {
  EventFormInput,
  EventFormSecret,
  LocalizedInput,
  TestedStore,
} from "~/domain/events/event-form";
import { EVENT_STATUS_IDS, isLinkOpen } from "~/domain/events/status";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import type { Event, EventStatusId } from "~/domain/shared/model";
import { clockChangeAt, fromLocalInput, readLocal, toLocalInput } from "~/domain/shared/time-zone";
import type { ConnectionTest } from "~/domain/store/store";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { FormErrors, useFieldProps } from "../shared/form-parts";
import { ReenterSecret, useSecretsToReenter } from "../shared/reenter-secret";
import { readEventForm, useDirty, useOverruled } from "../shared/use-dirty";
import { useMessage } from "../shared/user-message";
import { UrlParamFields } from "../spaces/url-param-fields";
import { StoreFields } from "../store/store-fields";
import { type AskTest, useConnectionTest } from "../store/use-connection-test";
import { EventDetailFields, EventNameFields } from "./event-text-fields";
import { type AskTakenNames, useTakenNames } from "./use-taken-names";

/** The event's data for the form. It never contains the store's token, only whether one is saved. */
export interface EventFormEvent {
  /** The saved event without its tokens. */
  readonly saved: Event;
  readonly hasStoreToken: boolean;
  /** The status in effect now. */
  readonly currentStatus: EventStatusId;
  readonly previewLink: string;
  readonly publicLink: string;
}

export interface EventFormProps {
  /** Prefix of the fields' ids, unique on the page: the form can be inline and in a dialog at the same time. */
  readonly id: string;
  readonly event: EventFormEvent;
  /** Initial values of the form. */
  readonly opened: EventFormInput;
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** After a conflict, the saved version that this form may overwrite. */
  readonly conflictVersion?: number;
  readonly urlParams: UrlParamDefinitions;
  /** Whether the event's space is a showcase. URL parameters take effect only there. */
  readonly isShowcase: boolean;
  readonly timeZone: string;
  /** Time of the server's response, in epoch milliseconds. */
  readonly now: number;
  readonly cancelHref: string;
  /** Non-public hosts that are allowed as a store's host in local runs. */
  readonly storeHosts: readonly string[];
  /** The secrets that were filled in when the returned form was submitted. */
  readonly typedSecrets?: readonly EventFormSecret[];
  /** Result of the store's connection test, if the submitted form requested one. */
  readonly storeTest?: ConnectionTest | null;
  /** The store whose token was tested without scripts and can be saved without being typed again. */
  readonly tested?: TestedStore | null;
  /** Asks which names are taken while the user types. */
  readonly onAskTaken?: AskTakenNames;
  /** Tests the store's connection while the form stays as it is. */
  readonly onTestStore?: AskTest;
  /** Called when the user cancels, before the navigation to `cancelHref`. */
  readonly onCancel?: () => void;
  /** Called when the form gains or loses unsaved changes. */
  readonly onUnsaved?: (unsaved: boolean) => void;
}

/** Message keys of the fields' labels, in the order of the form. */
const LABELS = {
  eventName: "events:name",
  statusId: "events:status",
  startDate: "events:start",
  endDate: "events:end",
  enableAutoChangeStatus: "events:autoChange",
  eventDetail: "events:detail",
  publishPassword: "events:password",
  removePublishPassword: "events:passwordRemove",
  spStoreUrl: "events:storeUrl",
  spAccessToken: "events:storeToken",
  urlParams: "events:urlParams",
  extraParams: "events:urlParams",
} as const satisfies Partial<Record<keyof EventFormInput, MessageKey>>;

const NO_SECRETS: readonly EventFormSecret[] = [];

/** Returns the message key of a name with which the form cannot be saved; null for a name that the server may accept. */
const findNameProblem = (name: unknown) => eventNameField().safeParse(name).error?.issues[0]?.message ?? null;

/** The complete event form (§2), which the status dialog and the editor's panel both use. */
export function EventForm(props: EventFormProps) {
  const {
    id,
    event,
    opened,
    lastResult,
    conflictVersion,
    urlParams,
    isShowcase,
    timeZone,
    now,
    cancelHref,
    typedSecrets = NO_SECRETS,
    storeTest = null,
    tested = null,
    onAskTaken,
    onTestStore,
    storeHosts,
    onCancel,
    onUnsaved,
  } = props;
  const { t, language } = useTranslation();
  const message = useMessage();
  const fieldProps = useFieldProps();
  const hydrated = useHydrated();
  const busy = useNavigation().formMethod === "POST";
  const { saved } = event;
  const [form, fields] = useForm<EventFormInput, never, string[]>({
    id,
    lastResult,
    defaultValue: opened as never,
    onValidate: ({ formData }) =>
      parseWithZod(formData, {
        schema: createEventSchema({
          now: Math.max(now, Date.now()),
          timeZone,
          lang: language,
          saved,
          hasSavedStoreToken: event.hasStoreToken,
          testedStoreUrl: tested?.storeUrl,
          urlParams,
          isAllowedStoreHost: (host) => storeHosts.includes(host),
        }),
      }) as never,
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  // Typed values keep the version that they started from, even if the page was rendered after another user's save.
  const version = String(conflictVersion ?? lastResult?.initialValue?.version ?? opened.version);
  // A returned form holds the typed values. A field that the user emptied is missing from them.
  const came = lastResult?.initialValue ?? opened;
  const lost = useSecretsToReenter(typedSecrets);
  const dirty = useDirty(opened, lastResult != null);
  const takenNames = useTakenNames(onAskTaken, (came.eventName ?? {}) as LocalizedInput);
  const [nameProblem, setNameProblem] = useState(() => findNameProblem(came.eventName));
  const connection = useConnectionTest({
    first: { storeUrl: String(came.spStoreUrl ?? ""), token: "" },
    saved: { storeUrl: saved.spStoreUrl, hasToken: event.hasStoreToken },
    answered: storeTest,
    ask: onTestStore ?? null,
  });
  const verifying = connection.test.state === "verifying";
  const isBlocked = verifying || (hydrated && nameProblem !== null);
  const overruled = useOverruled(came as EventFormInput, timeZone, now);
  const onTyped = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const typed = readEventForm(new FormData(currentTarget));
    dirty.check(typed);
    setNameProblem(findNameProblem(typed.eventName));
    takenNames.check(typed.eventName);
    overruled.check(typed);
    connection.check({ storeUrl: typed.spStoreUrl ?? "", token: typed.spAccessToken ?? "" });
  };
  useEffect(() => {
    onUnsaved?.(dirty.value);
    return () => onUnsaved?.(false);
  }, [onUnsaved, dirty.value]);
  /** Returns a hint that states which instant is meant when a local time occurs twice (end of daylight saving time). */
  const twiceHint = (typed: string, instant: string | null) => {
    const local = readLocal(typed);
    if (clockChangeAt(local, timeZone) !== "twice") return undefined;
    const isSecond = local === toLocalInput(instant, timeZone) && fromLocalInput(local, timeZone) !== instant;
    return t(isSecond ? "events:secondOfTwo" : "events:firstOfTwo");
  };
  const dateField = (name: "startDate" | "endDate") => ({
    ...fieldProps(fields[name]),
    savedValue: opened[name] ?? "",
    hint: twiceHint(String(came[name] ?? ""), saved[name]),
    clearIntent: { name: "intent", value: `clear:${name}` },
    undoIntent: { name: "intent", value: `undo:${name}` },
    timeZone,
  });
  return (
    <Form
      method="post"
      {...getFormProps(form as unknown as FormMetadata<EventFormInput, string[]>)}
      onInput={onTyped}
      onChange={onTyped}
      className="grid gap-8"
    >
      {/* Enter in a field must save, not delete the first date. */}
      <DefaultSubmit name="intent" value="update" disabled={isBlocked} />
      <FormErrors
        form={form as unknown as FormMetadata<EventFormInput, string[]>}
        labels={Object.fromEntries(Object.entries(LABELS).map(([name, key]) => [name, t(key)]))}
      />
      <input type="hidden" name="version" value={version} />
      <EventNameFields
        field={fields.eventName as never}
        label={t("events:name")}
        takenMessages={Object.fromEntries(
          takenNames.taken.map((lang) => [lang, t("events:errors.eventName.taken")]),
        )}
      />
      <RadioCards
        name={fields.statusId.name}
        id={fields.statusId.id}
        label={t("events:status")}
        error={fields.statusId.errors?.map(message)}
        defaultValue={String(fields.statusId.initialValue ?? saved.statusId)}
        options={EVENT_STATUS_IDS.map((status) => ({
          value: String(status),
          label: t(`shared:statuses.${status}`),
          description: t(`events:statusDescription.${status}`),
          mark: <StatusShape statusId={status} />,
        }))}
        note={<StatusNote saved={saved.statusId} current={event.currentStatus} overruled={overruled.value} />}
      />
      <fieldset className="grid gap-6">
        <DateTimeField {...dateField("startDate")} label={t("events:start")} />
        <DateTimeField {...dateField("endDate")} label={t("events:end")} />
        <CheckboxField
          name={fields.enableAutoChangeStatus.name}
          id={fields.enableAutoChangeStatus.id}
          label={t("events:autoChange")}
          hint={t("events:autoChangeHint")}
          error={fields.enableAutoChangeStatus.errors?.map(message)}
          defaultChecked={fields.enableAutoChangeStatus.initialValue === "on"}
        />
      </fieldset>
      <EventDetailFields field={fields.eventDetail as never} />
      <div className="grid gap-6">
        <CopyField
          id={`${id}-preview-link`}
          label={t("events:previewLink")}
          hint={isLinkOpen(event.currentStatus, "preview") ? t("events:linkOpen") : t("events:linkClosed")}
          value={event.previewLink}
        />
        <CopyField
          id={`${id}-public-link`}
          label={t("events:publicLink")}
          hint={isLinkOpen(event.currentStatus, "published") ? t("events:linkOpen") : t("events:linkClosed")}
          value={event.publicLink}
        />
      </div>
      <fieldset className="grid gap-4">
        <legend className="mb-2 text-base font-semibold">{t("events:password")}</legend>
        <p className="text-xs text-muted text-phrase">
          {saved.hasPublishPassword ? t("events:passwordSet") : t("events:passwordNone")}
        </p>
        {lost.includes("publishPassword") && <ReenterSecret formId={id} name="publishPassword" />}
        <PasswordField
          {...fieldProps(fields.publishPassword)}
          defaultValue=""
          label={t("events:passwordNew")}
          autoComplete="new-password"
        />
        {saved.hasPublishPassword && (
          <CheckboxField
            name={fields.removePublishPassword.name}
            id={fields.removePublishPassword.id}
            label={t("events:passwordRemove")}
            error={fields.removePublishPassword.errors?.map(message)}
            defaultChecked={fields.removePublishPassword.initialValue === "on"}
          />
        )}
      </fieldset>
      <StoreFields
        id={id}
        url={fieldProps(fields.spStoreUrl)}
        token={fieldProps(fields.spAccessToken)}
        tokenOf={event.hasStoreToken ? saved.spStoreUrl : null}
        lostToken={
          lost.includes("spAccessToken") && <ReenterSecret formId={id} name="spAccessToken" tested={tested} />
        }
        connection={connection}
        isScripted={hydrated && onTestStore !== undefined}
        busy={busy}
      />
      <UrlParamFields
        id={id}
        definitions={urlParams}
        isShowcase={isShowcase}
        values={(came?.urlParams ?? {}) as Record<string, string>}
        extra={(came?.extraParams ?? []) as { name?: string; value?: string }[]}
        errors={form.allErrors}
      />
      <ButtonRow
        stuck
        className="sticky bottom-0 z-10 [dialog_&]:-bottom-6 -mx-4 border-t border-line bg-raised px-4 py-3 sm:-mx-6 sm:px-6"
      >
        <Button
          type="submit"
          name="intent"
          value="update"
          variant="primary"
          pending={busy}
          disabled={isBlocked || (hydrated && !dirty.value && !busy)}
          aria-describedby={`${id}-update-note`}
        >
          {busy ? t("events:updating") : conflictVersion ? t("events:conflictKeepMine") : t("events:update")}
        </Button>
        <LinkButton href={cancelHref} variant="quiet" keepScroll onClick={onCancel}>
          {t("events:cancel")}
        </LinkButton>
        <span id={`${id}-update-note`} role="status" className="text-xs text-muted">
          {hydrated && (nameProblem ? message(nameProblem) : !dirty.value && t("events:nothingChanged"))}
        </span>
      </ButtonRow>
    </Form>
  );
}

interface StatusNoteProps {
  readonly saved: EventStatusId;
  readonly current: EventStatusId;
  readonly overruled: EventStatusId | null;
}

/** States that the dates overrule the saved status, or would immediately overrule the chosen one. */
function StatusNote({ saved, current, overruled }: StatusNoteProps) {
  const { t } = useTranslation();
  const word = (status: EventStatusId) => t(`shared:statuses.${status}`);
  const text =
    overruled !== null
      ? t("events:statusOverruled", { now: word(overruled), autoChange: t("events:autoChange") })
      : saved !== current
        ? t("events:statusSavedNow", { saved: word(saved), now: word(current) })
        : null;
  // The live region is always rendered, so that screen readers announce its new content.
  return (
    <div role="status">{text && <Notice tone={overruled === null ? "info" : "warning"}>{text}</Notice>}</div>
  );
}
