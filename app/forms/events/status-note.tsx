import type { ComponentProps, ReactNode } from "react";
import { Button } from "~/components/button";
import { useFormatDate } from "~/components/date-time";
import { Notice } from "~/components/status/notice";
import { type StatusNotice, waitForStartValues } from "~/domain/events/event-form";
import { EVENT_STATUS } from "~/domain/events/status";
import type { Event, EventStatusId, Instant } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";

/** Value of `intent` for the action that makes an event wait for its start. */
export const WAIT_FOR_START = "wait";
/** Name of the hidden field that reports that the form showed a notice. */
export const SHOWN_NOTICE = "shownNotice";

export interface StatusNoteProps {
  readonly saved: EventStatusId;
  readonly current: EventStatusId;
  readonly notice: StatusNotice | null;
  readonly timeZone: string;
  /** Makes the event wait for its start. Absent without scripts, when the button submits the form. */
  readonly onWait?: () => void;
}

interface FillInButtonProps {
  readonly intent: string;
  /** Fills in the form. Absent if the button submits it instead. */
  readonly onPress?: () => void;
  readonly variant?: ComponentProps<typeof Button>["variant"];
  readonly children: ReactNode;
}

/** Button that fills in the status and another field, so that they fit together. */
export const FillInButton = ({ intent, onPress, variant, children }: FillInButtonProps) => (
  <Button
    variant={variant}
    type={onPress ? "button" : "submit"}
    name="intent"
    value={intent}
    formNoValidate
    onClick={onPress}
    className="mr-2"
  >
    {children}
  </Button>
);

/** Fills in the form with this id so that, after it is saved, the event waits for its start. */
export function fillInWaiting(formId: string, saved: Pick<Event, "statusId">) {
  const click = (selector: string) =>
    document.getElementById(formId)?.querySelector<HTMLInputElement>(`input${selector}`)?.click();
  click(`[name="statusId"][value="${waitForStartValues(saved).statusId}"]`);
  click('[name="enableAutoChangeStatus"]:not(:checked)');
}

interface OpensNowNoteProps extends Pick<StatusNoteProps, "current" | "timeZone" | "onWait"> {
  readonly start: Instant;
}

/** States that the event opens before its start, and offers to wait for the start. */
export function OpensNowNote({ start, current, timeZone, onWait }: OpensNowNoteProps) {
  const { t } = useTranslation();
  const date = useFormatDate()(toLocalInput(start, timeZone));
  const isOpen = current === EVENT_STATUS.published;
  return (
    <>
      <p className="mb-2">{t(isOpen ? "events:openBeforeStart" : "events:opensNow", { date })}</p>
      <input type="hidden" name={SHOWN_NOTICE} value="opensNow" />
      <FillInButton intent={WAIT_FOR_START} onPress={onWait}>
        {t("shared-owners:waitForStart")}
      </FillInButton>
    </>
  );
}

/** Notice about the effect of saving on the status, or about a status that has changed since it was saved. The date fields show the other notices. */
export function StatusNote({ saved, current, notice, timeZone, onWait }: StatusNoteProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const statusName = (status: EventStatusId) => t(`shared:statuses.${status}`);
  const content = () => {
    if (notice?.kind === "opensNow") {
      return (
        <Notice tone="warning">
          <OpensNowNote start={notice.start} current={current} timeZone={timeZone} onWait={onWait} />
        </Notice>
      );
    }
    if (notice?.kind === "overruled")
      return (
        <Notice tone="warning">
          {t("events:statusOverruled", {
            now: statusName(notice.statusId),
            autoChange: t("events:autoChange"),
          })}
        </Notice>
      );
    if (notice?.kind === "opensLater")
      return (
        <Notice>{t("events:opensLater", { date: formatDate(toLocalInput(notice.at, timeZone)) })}</Notice>
      );
    return saved !== current ? (
      <Notice>{t("events:statusSavedNow", { saved: statusName(saved), now: statusName(current) })}</Notice>
    ) : null;
  };
  // The live region is always rendered, because screen readers announce only later changes of its content.
  return <div role="status">{content()}</div>;
}
