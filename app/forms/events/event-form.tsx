import { getFormProps, type Submission, type SubmissionResult, useForm } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { Button, ButtonRow, DefaultSubmit, LinkButton } from "~/components/button";
import { cx } from "~/components/cx";
import { useFormatDate } from "~/components/date-time";
import type { CalendarEvent } from "~/components/fields/calendar.client";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { CopyField } from "~/components/fields/copy-field";
import { FieldDetails } from "~/components/fields/field-details";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { PasswordField } from "~/components/fields/password-field";
import { RadioCards } from "~/components/fields/radio-cards";
import { StatusShape } from "~/components/status/status";
import { useHydrated } from "~/components/use-hydrated";
import {
  type EventFormInput,
  type EventFormSecret,
  type EventFormValue,
  type LocalizedInput,
  type TestedStore,
  UPDATE_FAILURE_KEYS,
} from "~/domain/events/event-form";
import { EVENT_STATUS_IDS, isLinkOpen, linkOpensAt } from "~/domain/events/status";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import type { Event, EventStatusId, LinkMode } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import type { ConnectionTest } from "~/domain/store/store";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { fillOpenNow, markUnreadableNumbers, readEventForm, readTypedForm } from "../shared/event-form-data";
import { FormErrors, rootFieldName, useFieldProps } from "../shared/form-parts";
import { ReenterSecret, useSecretsToReenter } from "../shared/reenter-secret";
import { useDirty } from "../shared/use-dirty";
import { acceptUnchecked, useLateCheck } from "../shared/use-late-check";
import { useStatusNotice } from "../shared/use-status-notice";
import { useMessage } from "../shared/user-message";
import { UrlParamFields, type UrlParamPreview } from "../spaces/url-param-fields";
import { StoreFields, StoreSteps } from "../store/store-fields";
import { type RequestConnectionTest, useConnectionTest } from "../store/use-connection-test";
import type { NameProblems } from "./event-check";
import { EventDates } from "./event-dates";
import { EventTextFields, textFieldLabels } from "./event-text-fields";
import { fillInWaiting, OpensNowNote } from "./status-note";
import { type FetchTakenNames, useTakenNames } from "./use-taken-names";

/** Data of an event for the form. It never contains the store's token, only whether a token is saved. */
export interface EventFormEvent {
  /** The saved event without its tokens. */
  readonly saved: Event;
  readonly hasStoreToken: boolean;
  /** The current status of the event. */
  readonly currentStatus: EventStatusId;
  readonly previewLink: string;
  readonly publicLink: string;
}

export interface EventFormProps {
  /** Prefix of the fields' ids, unique on the page: the form can be inline and in a dialog at the same time. */
  readonly id: string;
  readonly event: EventFormEvent;
  /** Values of the saved event with its current status, from which the form starts. */
  readonly opened: EventFormInput;
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** Id of the form whose last submission has failed outside of the application, for example in a proxy. */
  readonly failedForm?: string | null;
  /** The saved version that this form may overwrite after a conflict. */
  readonly conflictVersion?: number;
  readonly urlParams: UrlParamDefinitions;
  /** Whether the event's space is a Matterport showcase. Only showcases use URL parameters. */
  readonly isShowcase: boolean;
  readonly timeZone: string;
  /** The other events of the space, which the calendar shows. */
  readonly otherEvents: readonly CalendarEvent[];
  /** Time of the server's response, in epoch milliseconds. */
  readonly now: number;
  readonly cancelHref: string;
  /** Hosts that are allowed as a store's host in local runs, although they are not public. */
  readonly storeHosts: readonly string[];
  /** Names of the secrets that had been typed when the returned form was submitted. */
  readonly typedSecrets?: readonly EventFormSecret[];
  /** Result of the store's connection test, if the submitted form requested a test. */
  readonly storeTest?: ConnectionTest | null;
  /** The store whose token was tested without scripts. The token can be saved without being typed again. */
  readonly testedStore?: TestedStore | null;
  /** Requests from the server which typed names are taken. */
  readonly fetchTakenNames?: FetchTakenNames;
  /** Tests the connection to the store without submitting the form. */
  readonly onTestStore?: RequestConnectionTest;
  /** Called when the user cancels, before the navigation to `cancelHref`. */
  readonly onCancel?: (event: MouseEvent) => void;
  /** Called when the form gains or loses unsaved changes, and with false when it is removed. */
  readonly onUnsaved?: (hasUnsaved: boolean) => void;
  /** The part that is visible, besides parts with an error. Absent when the whole form is visible. */
  readonly part?: EventFormPart;
  /** Whether the page offers, above the form, the stores of the user's other events. The store's fields are then in a group that can be opened. */
  readonly hasOwnStores?: boolean;
  /** Preview of typed URL parameters beside the form. */
  readonly paramPreview?: UrlParamPreview;
  /** URL of the showcase with the typed URL parameters, if the submitted form requested it. */
  readonly paramPreviewHref?: string | null;
  /** Content between the dates and the preview link. */
  readonly checks?: ReactNode;
  /** Content after the last field. */
  readonly foot?: ReactNode;
  /** Called after the owner has copied a link. */
  readonly onLinkCopied?: (mode: LinkMode) => void;
  /** Returns the actions for a link. */
  readonly linkActions?: (mode: LinkMode) => ReactNode;
}

/** A part of the form that a panel of the editor can show alone. */
export type EventFormPart = "details" | "publish" | "store";

/** Message keys of the fields' labels, in the order of the error summary. */
const LABELS = {
  eventName: "events:name",
  eventDetail: "events:detail",
  statusId: "events:status",
  startDate: "events:start",
  endDate: "events:end",
  enableAutoChangeStatus: "events:autoChange",
  publishPassword: "events:password",
  removePublishPassword: "events:passwordRemove",
  showBeforePassword: "events:showBeforePassword",
  spStoreUrl: "events:storeUrl",
  spAccessToken: "events:storeToken",
  urlParams: "events:urlParams",
  extraParams: "events:urlParams",
} as const satisfies Partial<Record<keyof EventFormInput, MessageKey>>;

/** The part to which each field belongs, by the first segment of the field's name. */
const PARTS = {
  eventName: "details",
  eventDetail: "details",
  urlParams: "details",
  extraParams: "details",
  statusId: "publish",
  startDate: "publish",
  endDate: "publish",
  enableAutoChangeStatus: "publish",
  publishPassword: "publish",
  removePublishPassword: "publish",
  showBeforePassword: "publish",
  spStoreUrl: "store",
  spAccessToken: "store",
} as const satisfies Record<keyof typeof LABELS, EventFormPart>;

const NO_SECRETS: readonly EventFormSecret[] = [];

const loadCheck = () => import("./event-check");

/** The complete event form (specification §2). The status dialog and the editor's panel both use it. */
export function EventForm(props: EventFormProps) {
  const {
    id,
    event,
    opened,
    lastResult,
    failedForm,
    conflictVersion,
    urlParams,
    isShowcase,
    timeZone,
    otherEvents,
    now,
    typedSecrets = NO_SECRETS,
    storeTest = null,
    testedStore = null,
    fetchTakenNames,
    onTestStore,
    onCancel,
    onUnsaved,
    part,
    hasOwnStores = false,
    paramPreview,
    paramPreviewHref,
  } = props;
  const { t, language } = useTranslation();
  const message = useMessage();
  const fieldProps = useFieldProps();
  const formatDate = useFormatDate();
  const hydrated = useHydrated();
  const busy = useNavigation().formMethod === "POST";
  const { saved } = event;
  const check = useLateCheck(loadCheck);
  const [form, fields] = useForm<EventFormInput, EventFormValue>({
    id,
    lastResult,
    defaultValue: opened,
    onValidate: ({ form: element, formData }) => {
      markUnreadableNumbers(formData, element);
      const currentTime = Math.max(now, Date.now());
      const opensNow = fillOpenNow(formData, currentTime, timeZone);
      const context = {
        now: currentTime,
        timeZone,
        lang: language,
        saved,
        opensNow,
        hasSavedStoreToken: event.hasStoreToken,
        testedStoreUrl: testedStore?.storeUrl,
        urlParams,
        isAllowedLocalHost: (host: string) => props.storeHosts.includes(host),
      };
      const submission = check ? check.checkEvent(formData, context) : acceptUnchecked(formData);
      return submission as Submission<EventFormInput, string[], EventFormValue>;
    },
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  // Typed values keep the version from which they started, even if the page was rendered after another user's save.
  const version = String(conflictVersion ?? lastResult?.initialValue?.version ?? opened.version);
  // A returned form contains the typed values. Fields that the user emptied are absent.
  const initialInput = lastResult?.initialValue ?? opened;
  const lostSecrets = useSecretsToReenter(typedSecrets);
  const dirty = useDirty(opened, lastResult != null);
  const takenNames = useTakenNames(fetchTakenNames, (initialInput.eventName ?? {}) as LocalizedInput);
  const [nameProblems, setNameProblems] = useState<NameProblems>({});
  const nameProblem = nameProblems[language] ?? Object.values(nameProblems)[0] ?? null;
  useEffect(() => {
    if (!check) return;
    const formInput = readEventForm(readTypedForm(document.getElementById(id) as HTMLFormElement));
    setNameProblems(check.findNameProblems(formInput.eventName, language));
  }, [check, id, language]);
  const connection = useConnectionTest({
    initialStore: { storeUrl: String(initialInput.spStoreUrl ?? ""), token: "" },
    saved: { storeUrl: saved.spStoreUrl, hasToken: event.hasStoreToken },
    testResult: storeTest,
    requestTest: onTestStore ?? null,
  });
  const verifying = connection.test.state === "verifying";
  const isBlocked = verifying || (hydrated && nameProblem !== null);
  const notice = useStatusNotice(initialInput as EventFormInput, {
    timeZone,
    now,
    saved,
  });
  const onTyped = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const formInput = readEventForm(readTypedForm(currentTarget));
    dirty.update(formInput);
    setNameProblems(check?.findNameProblems(formInput.eventName, language) ?? {});
    takenNames.startCheck(formInput.eventName);
    notice.update(formInput);
    connection.updateTyped({ storeUrl: formInput.spStoreUrl ?? "", token: formInput.spAccessToken ?? "" });
  };
  useEffect(() => {
    onUnsaved?.(dirty.value);
    return () => onUnsaved?.(false);
  }, [onUnsaved, dirty.value]);
  /** Returns a hint about who can use a link, and when it works. */
  const linkHint = (mode: LinkMode) => {
    if (isLinkOpen(event.currentStatus, mode)) return t(`events:linkHint.${mode}.open`);
    const opensAt = linkOpensAt(saved, mode, now);
    if (mode === "preview" || opensAt === null) return t(`events:linkHint.${mode}.closed`);
    const date = formatDate(toLocalInput(new Date(opensAt).toISOString(), timeZone));
    return t("events:linkHint.published.opensLater", { date });
  };
  const link = (mode: LinkMode) => (
    <div data-row="" className="grid gap-1">
      <CopyField
        id={`${id}-${mode === "preview" ? "preview" : "public"}-link`}
        label={t(mode === "preview" ? "events:previewLink" : "events:publicLink")}
        hint={linkHint(mode)}
        value={mode === "preview" ? event.previewLink : event.publicLink}
        onCopied={() => props.onLinkCopied?.(mode)}
      />
      {props.linkActions?.(mode)}
    </div>
  );
  const hasErrorIn = (eventFormPart: EventFormPart) =>
    Object.keys(form.allErrors).some(
      (name) => PARTS[rootFieldName(name) as keyof typeof PARTS] === eventFormPart,
    );
  const isShown = (eventFormPart: EventFormPart) =>
    part === undefined ||
    part === eventFormPart ||
    (eventFormPart === "details" && nameProblem !== null) ||
    hasErrorIn(eventFormPart);
  // While the choice is not saved, the notice is in the action bar, which is always in sight.
  const isNoticeInBar = hydrated && dirty.value && notice.value?.kind === "opensNow";
  const onWait = () => fillInWaiting(id, saved);
  const details = (
    <FormPart key="details" isShown={isShown("details")}>
      <EventTextFields
        name={fields.eventName}
        nameLabel={t("events:name")}
        detail={fields.eventDetail}
        nameProblems={{
          ...Object.fromEntries(
            takenNames.takenLanguages.map((lang) => [lang, t("events:errors.eventName.taken")]),
          ),
          ...(hydrated &&
            Object.fromEntries(Object.entries(nameProblems).map(([lang, key]) => [lang, message(key)]))),
        }}
      />
    </FormPart>
  );
  const publish = (
    <FormPart key="publish" isShown={isShown("publish")}>
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
        isCompact
      />
      {link("published")}
      <EventDates
        formId={id}
        fields={fields}
        saved={saved}
        currentStatus={event.currentStatus}
        opened={opened}
        rendered={initialInput as EventFormInput}
        notice={notice.value}
        isNoticeInBar={isNoticeInBar}
        onWait={hydrated ? onWait : undefined}
        timeZone={timeZone}
        otherEvents={otherEvents}
      />
      {props.checks}
      {link("preview")}
      <fieldset className="grid gap-4">
        <legend className="mb-2 text-base font-semibold">{t("events:password")}</legend>
        <p className="text-xs text-muted text-phrase">
          {saved.hasPublishPassword ? t("events:passwordSet") : t("events:passwordNone")}
        </p>
        {lostSecrets.includes("publishPassword") && <ReenterSecret formId={id} name="publishPassword" />}
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
        <CheckboxField
          name={fields.showBeforePassword.name}
          id={fields.showBeforePassword.id}
          label={t("events:showBeforePassword")}
          error={fields.showBeforePassword.errors?.map(message)}
          defaultChecked={fields.showBeforePassword.initialValue === "on"}
        />
      </fieldset>
    </FormPart>
  );
  const storeFields = (
    <StoreFields
      id={id}
      url={fieldProps(fields.spStoreUrl)}
      token={fieldProps(fields.spAccessToken)}
      tokenOf={event.hasStoreToken ? saved.spStoreUrl : null}
      lostToken={
        lostSecrets.includes("spAccessToken") && (
          <ReenterSecret formId={id} name="spAccessToken" tested={testedStore} />
        )
      }
      connection={connection}
      isScripted={hydrated && onTestStore !== undefined}
      busy={busy}
    />
  );
  return (
    <Form
      method="post"
      {...getFormProps(form)}
      data-shows-failure=""
      onInput={onTyped}
      onChange={onTyped}
      className={part === undefined || part === "store" ? "flex flex-1 flex-col gap-8" : "contents"}
    >
      {/* Enter in a field must save the form, not press the button that deletes the first date. */}
      <DefaultSubmit name="intent" value="update" disabled={isBlocked} />
      {failedForm === id && (
        <FormErrorSummary errors={UPDATE_FAILURE_KEYS.map((key) => ({ id: "", message: t(key) }))} />
      )}
      <FormErrors
        form={form}
        labels={Object.fromEntries([
          ...Object.entries(LABELS).map(([name, key]) => [name, t(key)]),
          ...Object.entries({
            ...textFieldLabels(t, "eventName", t(LABELS.eventName)),
            ...textFieldLabels(t, "eventDetail", t(LABELS.eventDetail)),
          }),
          ...urlParams.availableParams.map((name) => [
            `urlParams.${name}`,
            t("events:urlParams") + t("shared-owners:inBrackets", { text: name }),
          ]),
        ])}
      />
      <input type="hidden" name="version" value={version} />
      {/* In the status dialog, the statuses come first. */}
      {part === undefined ? [publish, details] : [details, publish]}
      <FormPart isShown={isShown("store")}>
        {hasOwnStores ? (
          <FieldDetails
            name="other-store"
            title={t("content:store.other")}
            summary=""
            hasError={hasErrorIn("store") || storeTest !== null || lostSecrets.includes("spAccessToken")}
          >
            <StoreSteps />
            {storeFields}
          </FieldDetails>
        ) : (
          storeFields
        )}
      </FormPart>
      <FormPart isShown={isShown("details")}>
        <UrlParamFields
          id={id}
          definitions={urlParams}
          isShowcase={isShowcase}
          rendered={initialInput as EventFormInput}
          saved={opened}
          preview={paramPreview}
          previewHref={paramPreviewHref}
          errors={form.allErrors}
        />
      </FormPart>
      {props.foot}
      {/* The row is at the end of the panel even if the form is short, so that no content is visible below it. */}
      <ButtonRow
        isActionBar={part !== "store"}
        // The store's form begins in the middle of its panel, where the window would cut a sticky row.
        className={cx(
          part !== "store" && "sticky bottom-0 z-10",
          part === "store" &&
            hasOwnStores &&
            !dirty.value &&
            "[form:has(details:not([open])_#event-store)_&]:hidden",
          "-mx-4 mt-auto border-t border-line bg-raised px-4 py-3 [dialog_&]:-bottom-6! sm:-mx-6 sm:px-6",
        )}
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
          {busy ? t("events:updating") : conflictVersion ? t("events:conflictOverwrite") : t("events:update")}
        </Button>
        {/* In a dialog, the link closes the dialog. On a page, it is useful only after a change. */}
        {(!hydrated || dirty.value || busy || part === undefined) && (
          <LinkButton href={props.cancelHref} variant="quiet" keepScroll onClick={onCancel}>
            {t("events:cancel")}
          </LinkButton>
        )}
        <div
          id={`${id}-update-note`}
          role="status"
          className={cx("text-xs", isNoticeInBar ? "order-first basis-full" : "text-muted")}
        >
          {isNoticeInBar && notice.value?.kind === "opensNow" ? (
            <OpensNowNote
              start={notice.value.start}
              current={event.currentStatus}
              timeZone={timeZone}
              onWait={onWait}
            />
          ) : (
            hydrated &&
            (nameProblem ? message(nameProblem) : t(dirty.value ? "events:notSaved" : "events:saved"))
          )}
        </div>
      </ButtonRow>
    </Form>
  );
}

/** A part of the form. While it is hidden, its fields stay in the form and keep their values. */
const FormPart = ({ isShown, children }: { readonly isShown: boolean; readonly children: ReactNode }) => (
  <div hidden={!isShown} className="grid grid-cols-1 gap-8 [[hidden]]:hidden">
    {children}
  </div>
);
