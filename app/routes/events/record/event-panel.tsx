import type { SubmissionResult } from "@conform-to/react";
import { useNavigate } from "@remix-run/react";
import { type ReactNode, useRef } from "react";
import { cx } from "~/components/cx";
import { Dialog } from "~/components/dialog";
import { useHydrated } from "~/components/use-hydrated";
import type { EventFormSecret, TestedStore } from "~/domain/events/event-form";
import type { ConnectionTest } from "~/domain/store/store";
import { EventConflict } from "~/forms/events/event-conflict";
import { EventForm, type EventFormPart, type EventFormProps } from "~/forms/events/event-form";
import type { FormPlace, LeaveGuard } from "~/forms/shared/use-leave-guard";
import type { UrlParamPreview } from "~/forms/spaces/url-param-fields";
import { useTranslation } from "~/i18n/translation";
import { ProductVersion } from "../../shared/version";
import type { EventFormConflict } from "./event-action";
import { LinkActions, TryLinkForms } from "./link-actions";
import { useResetCount } from "./use-reset-count";

/** Result of the event form's submission. */
export interface EventFormOutcome {
  readonly lastResult: SubmissionResult<string[]> | null;
  readonly conflict: EventFormConflict | null;
  readonly typedSecrets: readonly EventFormSecret[];
  /** Result of a test of the store's connection. */
  readonly storeTest: ConnectionTest | null;
  /** The tested store, if its token may be saved. */
  readonly testedStore: TestedStore | null;
  /** URL of the showcase with the typed URL parameters, if the form requested it. */
  readonly paramPreview: string | null;
}

export interface EventPanelProps {
  readonly form: Omit<
    EventFormProps,
    | "id"
    | "lastResult"
    | "conflictVersion"
    | "typedSecrets"
    | "storeTest"
    | "testedStore"
    | "paramPreviewHref"
  >;
  readonly outcome: EventFormOutcome | null;
  /** The part of the form that the open panel shows; null if the form is mounted but hidden. */
  readonly part: EventFormPart | null;
  readonly inDialog: boolean;
  readonly guard: LeaveGuard;
  /** Time line and checklist of the event, for the part that publishes it. */
  readonly checks: ReactNode;
  /** Preview of typed URL parameters in the space beside the panel. */
  readonly paramPreview: UrlParamPreview;
}

/** The event form. Each panel shows one part of it. */
export function EventPanel({ form, outcome, part, inDialog, guard, checks, paramPreview }: EventPanelProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const { resetCount, cancel } = useResetCount(form.event.saved.version);
  // A hidden form keeps its last part.
  const lastPart = useRef<EventFormPart>("details");
  if (part !== null) lastPart.current = part;
  const { saved } = form.event;
  const conflict = renderConflict({ form, outcome, guard }, "page");
  return (
    <section
      hidden={part === null}
      aria-labelledby="settings-title"
      // With `contents`, the section has no box of its own, so its last row stays at the bottom of the whole panel.
      className={cx(
        lastPart.current === "store" ? "flex flex-1 flex-col gap-6" : "contents",
        "[[hidden]]:hidden",
      )}
    >
      <h2 id="settings-title" className="sr-only">
        {t("events:settings")}
      </h2>
      {!inDialog && conflict}
      <TryLinkForms />
      {/* The form is not rendered twice under a dialog that the server opened. */}
      {(hydrated || !inDialog) && (
        <EventForm
          key={`inline ${saved.version} ${resetCount}`}
          id="event"
          {...form}
          part={lastPart.current}
          paramPreview={paramPreview}
          checks={checks}
          foot={<ProductVersion />}
          linkActions={(mode) => <LinkActions event={form.event} mode={mode} now={form.now} />}
          {...(!inDialog && rejectedFormProps(outcome))}
          onCancel={(event) => {
            if (!guard.hasUnsaved("page")) return cancel();
            event.preventDefault();
            guard.confirm(() => {
              guard.release("page");
              cancel();
              navigate(form.cancelHref, { preventScrollReset: true });
            });
          }}
          onUnsaved={guard.onPage}
        />
      )}
    </section>
  );
}

/** The same form in the dialog that the status button of the top bar opens. It is rendered outside of the panel, over everything. */
export function EventDialog({ form, outcome, guard }: Pick<EventPanelProps, "form" | "outcome" | "guard">) {
  const { t } = useTranslation();
  const { saved } = form.event;
  return (
    <Dialog title={t("events:statusDialog")} closeHref={form.cancelHref}>
      <div className="grid gap-6">
        {renderConflict({ form, outcome, guard }, "dialog")}
        <EventForm
          key={`dialog ${saved.version}`}
          id="event-dialog"
          {...form}
          hasOwnStores={false}
          {...rejectedFormProps(outcome)}
          onCancel={() => guard.release("dialog")}
          onUnsaved={guard.onDialog}
        />
      </div>
    </Dialog>
  );
}

/** Result of the submission as props of the form; null without one. */
const rejectedFormProps = (outcome: EventFormOutcome | null) =>
  outcome && {
    lastResult: outcome.lastResult,
    conflictVersion: outcome.conflict?.version,
    typedSecrets: outcome.typedSecrets,
    storeTest: outcome.storeTest,
    testedStore: outcome.testedStore,
    paramPreviewHref: outcome.paramPreview,
  };

/** Both versions, if another editor saved the event meanwhile. */
function renderConflict(
  { form, outcome, guard }: Pick<EventPanelProps, "form" | "outcome" | "guard">,
  place: FormPlace,
) {
  return (
    outcome?.conflict && (
      <EventConflict
        rows={outcome.conflict.rows}
        urlParams={form.urlParams}
        reloadHref={form.cancelHref}
        onReload={() => guard.release(place)}
      />
    )
  );
}
