import type { FieldMetadata } from "@conform-to/react";
import type { CalendarEvent } from "~/components/fields/calendar.client";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { DateTimeField } from "~/components/fields/date-time-field";
import type { EventFormInput, StatusNotice } from "~/domain/events/event-form";
import { EVENT_STATUS } from "~/domain/events/status";
import type { Event, EventStatusId } from "~/domain/shared/model";
import { clockChangeAt, fromLocalInput, readLocal, toLocalInput } from "~/domain/shared/time-zone";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { OPEN_NOW_INTENT } from "../shared/event-form-data";
import { useFieldProps } from "../shared/form-parts";
import { useMessage } from "../shared/user-message";
import { FillInButton, StatusNote } from "./status-note";

const END_BEFORE_START = "events:errors.endDate.beforeStart" satisfies MessageKey;
const START_AFTER_END = "events:errors.startDate.afterEnd" satisfies MessageKey;
const START_PAST = "events:errors.startDate.past" satisfies MessageKey;

interface EventDatesProps {
  readonly formId: string;
  readonly fields: Record<
    "startDate" | "endDate" | "enableAutoChangeStatus",
    Pick<FieldMetadata, "name" | "id" | "errors" | "initialValue">
  >;
  readonly saved: Event;
  /** The current status of the event. */
  readonly currentStatus: EventStatusId;
  /** Values of the saved event with its current status. */
  readonly opened: EventFormInput;
  /** Values with which the form was rendered: the typed ones after a rejected submission. */
  readonly rendered: EventFormInput;
  readonly notice: StatusNotice | null;
  /** Whether the form's action bar shows the notice. */
  readonly isNoticeInBar: boolean;
  /** Makes the event wait for its start. Absent without scripts. */
  readonly onWait?: () => void;
  readonly timeZone: string;
  readonly otherEvents: readonly CalendarEvent[];
}

/** The start and the end of an event, and how they change its status. */
export function EventDates({
  formId,
  fields,
  saved,
  currentStatus,
  opened,
  rendered,
  notice,
  isNoticeInBar,
  onWait,
  timeZone,
  otherEvents,
}: EventDatesProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const fieldProps = useFieldProps();
  const findInput = (selector: string) =>
    document.getElementById(formId)?.querySelector<HTMLInputElement>(`input${selector}`);
  /** Returns a hint about which of two instants is meant when a local time occurs twice (at the end of daylight saving time). */
  const twiceHint = (text: string, instant: string | null) => {
    const local = readLocal(text);
    if (clockChangeAt(local, timeZone) !== "twice") return undefined;
    const isSecond = local === toLocalInput(instant, timeZone) && fromLocalInput(local, timeZone) !== instant;
    return t(isSecond ? "events:secondOfTwo" : "events:firstOfTwo");
  };
  const dateField = (name: "startDate" | "endDate") => ({
    ...fieldProps(fields[name]),
    savedValue: opened[name] ?? "",
    hint: twiceHint(String(rendered[name] ?? ""), saved[name]),
    timeZone,
    otherEvents,
  });
  const startErrors = [
    ...(fields.startDate.errors ?? []),
    ...(notice?.kind === "startPast" ? [START_PAST] : []),
  ];
  const endErrors = [
    ...(fields.endDate.errors ?? []),
    ...(notice?.kind === "endBeforeStart" && !startErrors.includes(START_AFTER_END)
      ? [END_BEFORE_START]
      : []),
  ];
  return (
    <fieldset className="grid grid-cols-1 gap-4">
      <div data-row="">
        <DateTimeField
          {...dateField("startDate")}
          error={[...new Set(startErrors)].map(message)}
          label={t("events:start")}
          defaultTime="10:00"
          emptyText={
            notice?.kind === "opensAtOnce" && currentStatus !== EVENT_STATUS.published
              ? t("events:opensAtOnce")
              : undefined
          }
          errorAction={
            startErrors.includes(START_PAST) && (
              <FillInButton variant="quiet" intent={OPEN_NOW_INTENT}>
                {t("events:openNow")}
              </FillInButton>
            )
          }
        />
      </div>
      <div data-row="">
        <DateTimeField
          {...dateField("endDate")}
          error={[...new Set(endErrors)].map(message)}
          label={t("events:end")}
          defaultTime="18:00"
          getStart={() => readLocal(findInput('[name="startDate"]')?.value ?? "")}
        />
      </div>
      <CheckboxField
        name={fields.enableAutoChangeStatus.name}
        id={fields.enableAutoChangeStatus.id}
        label={t("events:autoChange")}
        hint={t("events:autoChangeHint")}
        error={fields.enableAutoChangeStatus.errors?.map(message)}
        defaultChecked={fields.enableAutoChangeStatus.initialValue === "on"}
      />
      {/* The notice is below the dates, so that the status, the link and the dates do not move when it appears. */}
      <StatusNote
        saved={saved.statusId}
        current={currentStatus}
        notice={isNoticeInBar ? null : notice}
        timeZone={timeZone}
        onWait={onWait}
      />
    </fieldset>
  );
}
