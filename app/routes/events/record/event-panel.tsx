import type { SubmissionResult } from "@conform-to/react";
import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Dialog } from "~/components/dialog";
import { StatusTimeline } from "~/components/status/status-timeline";
import { useHydrated } from "~/components/use-hydrated";
import type { EventFormSecret, TestedStore } from "~/domain/events/event-form";
import type { ConnectionTest } from "~/domain/store/store";
import { EventConflict } from "~/forms/events/event-conflict";
import { EventForm, type EventFormProps } from "~/forms/events/event-form";
import type { FormPlace, LeaveGuard } from "~/forms/shared/use-leave-guard";
import { useTranslation } from "~/i18n/translation";
import type { EventFormConflict } from "./event-action";

/** Result of the event form's submission. */
export interface EventFormOutcome {
  readonly lastResult: SubmissionResult<string[]> | null;
  readonly conflict: EventFormConflict | null;
  readonly typedSecrets: readonly EventFormSecret[];
  /** Result of a test of the store's connection. */
  readonly storeTest: ConnectionTest | null;
  /** The tested store, if its token may be saved. */
  readonly tested: TestedStore | null;
}

export interface EventPanelProps {
  readonly form: Omit<
    EventFormProps,
    "id" | "lastResult" | "conflictVersion" | "typedSecrets" | "storeTest" | "tested"
  >;
  readonly outcome: EventFormOutcome | null;
  /** Whether the event panel is open; otherwise the form is only kept. */
  readonly isShown: boolean;
  readonly inDialog: boolean;
  readonly guard: LeaveGuard;
}

/** The event panel with the event form. */
export function EventPanel({ form, outcome, isShown, inDialog, guard }: EventPanelProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const { round, cancel } = useCancelRound();
  const [seen, setSeen] = useState(isShown);
  if (isShown && !seen) setSeen(true);
  const { saved } = form.event;
  const conflict = conflictOf({ form, outcome, guard }, "page");
  return (
    <>
      {/* The form stays mounted, so that its values are kept while another panel is open. */}
      {seen && (
        <div hidden={!isShown} className="grid gap-8 [[hidden]]:hidden">
          <StatusTimeline
            start={saved.startDate}
            end={saved.endDate}
            timeZone={form.timeZone}
            now={new Date(form.now).toISOString()}
            statusId={form.event.currentStatus}
          />
          <section aria-labelledby="settings-title" className="grid gap-6">
            <h2 id="settings-title" className="text-base font-semibold">
              {t("events:settings")}
            </h2>
            {!inDialog && conflict}
            {/* The form is not rendered twice under a dialog that the server opened. */}
            {(hydrated || !inDialog) && (
              <EventForm
                key={`inline ${saved.version} ${round}`}
                id="event"
                {...form}
                {...(!inDialog && cameBack(outcome))}
                onCancel={() => {
                  guard.release("page");
                  cancel();
                }}
                onUnsaved={guard.onPage}
              />
            )}
          </section>
        </div>
      )}
    </>
  );
}

/** The same form in the dialog that a change of the status opens. It is rendered outside of the panel, over everything. */
export function EventDialog({ form, outcome, guard }: Pick<EventPanelProps, "form" | "outcome" | "guard">) {
  const { t } = useTranslation();
  const { saved } = form.event;
  return (
    <Dialog title={t("events:statusDialog")} closeHref={`/event/${saved.id}`}>
      <div className="grid gap-6">
        {conflictOf({ form, outcome, guard }, "dialog")}
        <EventForm
          key={`dialog ${saved.version}`}
          id="event-dialog"
          {...form}
          {...cameBack(outcome)}
          onCancel={() => guard.release("dialog")}
          onUnsaved={guard.onDialog}
        />
      </div>
    </Dialog>
  );
}

/** Props of a form whose submission was rejected. */
const cameBack = (outcome: EventFormOutcome | null) =>
  outcome && {
    lastResult: outcome.lastResult,
    conflictVersion: outcome.conflict?.version,
    typedSecrets: outcome.typedSecrets,
    storeTest: outcome.storeTest,
    tested: outcome.tested,
  };

/** Both versions if another editor saved the event meanwhile, otherwise undefined. */
function conflictOf(
  { form, outcome, guard }: Pick<EventPanelProps, "form" | "outcome" | "guard">,
  place: FormPlace,
) {
  return (
    outcome?.conflict && (
      <EventConflict
        rows={outcome.conflict.rows}
        urlParams={form.urlParams}
        reloadHref={`/event/${form.event.saved.id}`}
        onReload={() => guard.release(place)}
      />
    )
  );
}

/**
 * Counts cancellations. A form that stays on the page is reset once the page without its result has arrived, not earlier, because it would
 * receive the rejected values again.
 */
function useCancelRound() {
  const { key } = useLocation();
  const cancelled = useRef(false);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another arrival
  useEffect(() => {
    if (!cancelled.current) return;
    cancelled.current = false;
    setRound((count) => count + 1);
  }, [key]);
  return {
    round,
    cancel: () => {
      cancelled.current = true;
    },
  };
}
