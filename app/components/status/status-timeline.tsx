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
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  if (span === 0) return () => 50;
  return (time) => 8 + (84 * (time - first)) / span;
}

const percent = (x: number) => `${x}%`;

/** The event's period and the current time: `<StatusTimeline start=… end=… now=… statusId=… timeZone=… />`. */
export function StatusTimeline({ start, end, now, statusId, timeZone }: StatusTimelineProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const time = { start: start && Date.parse(start), end: end && Date.parse(end), now: Date.parse(now) };
  const toPosition = timelineScale(time.start || null, time.end || null, time.now);
  const x = {
    start: time.start ? toPosition(time.start) : 0,
    end: time.end ? Math.max(toPosition(time.end), time.start ? toPosition(time.start) : 0) : 100,
    now: toPosition(time.now),
  };
  const position = Math.min(Math.max(x.now, x.start), x.end);
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
        x={percent(x.start)}
        y="24"
        width={percent(x.end - x.start)}
        height="4"
        className={`${fill} opacity-40`}
      />
      <rect x={percent(x.start)} y="24" width={percent(position - x.start)} height="4" className={fill} />
      <circle cx={percent(x.now)} cy="26" r="5" strokeWidth="2" className="fill-paper stroke-accent" />
      <text
        x={percent(x.now)}
        y="12"
        textAnchor={x.now < 12 ? "start" : x.now > 88 ? "end" : "middle"}
        className="fill-accent font-semibold"
      >
        {t("shared-owners:now")}
      </text>
    </svg>
  );
}
