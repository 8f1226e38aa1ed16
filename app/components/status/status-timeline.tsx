import type { Instant } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import { useFormatDate } from "../date-time";

export interface StatusTimelineProps {
  readonly start: Instant | null;
  readonly end: Instant | null;
  /** Time of the server, so that server and browser render the same content. */
  readonly now: Instant;
  /** The current status. */
  readonly statusId: number;
  /** IANA name of the account's time zone. */
  readonly timeZone: string;
}

const fills: Readonly<Record<number, string>> = {
  1: "fill-status-unpublished",
  2: "fill-status-preview",
  3: "fill-status-published",
  4: "fill-status-archived",
};

/**
 * Returns a function that converts a time in milliseconds to its position on the bar in per cent. The bar extends a little beyond the start, the
 * end and the current time.
 */
export function timelineScale(
  start: number | null,
  end: number | null,
  now: number,
): (time: number) => number {
  const times = [start, end, now].filter((time) => time !== null);
  const earliest = Math.min(...times);
  const span = Math.max(...times) - earliest;
  if (span === 0) return () => 50;
  return (time) => 8 + (84 * (time - earliest)) / span;
}

const percent = (x: number) => `${x}%`;

/** The event's period and the current time: `<StatusTimeline start=… end=… now=… statusId=… timeZone=… />`. */
export function StatusTimeline({ start, end, now, statusId, timeZone }: StatusTimelineProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const times = { start: start && Date.parse(start), end: end && Date.parse(end), now: Date.parse(now) };
  const toPosition = timelineScale(times.start || null, times.end || null, times.now);
  const positions = {
    start: times.start ? toPosition(times.start) : 0,
    end: times.end ? Math.max(toPosition(times.end), times.start ? toPosition(times.start) : 0) : 100,
    now: toPosition(times.now),
  };
  const nowInPeriod = Math.min(Math.max(positions.now, positions.start), positions.end);
  const fill = fills[statusId] ?? "fill-edge";
  return (
    <svg
      role="img"
      aria-label={t("shared-owners:timeline", { now: formatDate(toLocalInput(now, timeZone)) })}
      width="100%"
      height="34"
      className="block overflow-visible text-xs"
    >
      <rect x="0" y="24" width="100%" height="4" rx="2" className="fill-line" />
      <rect
        x={percent(positions.start)}
        y="24"
        width={percent(positions.end - positions.start)}
        height="4"
        className={`${fill} opacity-40`}
      />
      <rect
        x={percent(positions.start)}
        y="24"
        width={percent(nowInPeriod - positions.start)}
        height="4"
        className={fill}
      />
      <circle
        cx={percent(positions.now)}
        cy="26"
        r="5"
        strokeWidth="2"
        className="fill-paper stroke-accent"
      />
      <text
        x={percent(positions.now)}
        y="12"
        textAnchor={positions.now < 12 ? "start" : positions.now > 88 ? "end" : "middle"}
        className="fill-accent font-semibold"
      >
        {t("shared-owners:now")}
      </text>
    </svg>
  );
}
