import { useEffect, useRef } from "react";
import { LinkButton } from "~/components/button";
import { Notice } from "~/components/notice";
import type { EventField } from "~/domain/event-changes";
import { useTranslation } from "~/i18n/use-translation";

export interface EventConflictProps {
  readonly rows: readonly {
    readonly field: EventField;
    readonly saved: string | null;
    readonly yours: string | null;
  }[];
  /** The page without what was typed. */
  readonly reloadHref: string;
}

const LABELS = {
  eventName: "events.name",
  startDate: "events.start",
  endDate: "events.end",
  statusId: "events.status",
  enableAutoChangeStatus: "events.autoChange",
  eventDetail: "events.detail",
  spStoreUrl: "events.storeUrl",
  spAccessToken: "events.storeToken",
  publishPassword: "events.password",
  urlParams: "events.urlParams",
} as const satisfies Record<EventField, string>;

/** Both versions of an event that two people saved: what is saved now, and what this form would save. */
export function EventConflict({ rows, reloadHref }: EventConflictProps) {
  const { t } = useTranslation();
  const whole = useRef<HTMLDivElement>(null);
  // It may have arrived far from where Update was pressed.
  useEffect(() => whole.current?.focus(), []);
  const words = (field: EventField, value: string | null) => {
    if (value === null) return t("events.conflictHidden");
    if (field === "enableAutoChangeStatus") return value === "true" ? t("events.yes") : t("events.no");
    if (field === "statusId") return t(`kit.statuses.${value as "1"}`);
    return value === "" ? t("events.none") : value;
  };
  return (
    <div ref={whole} tabIndex={-1} className="shows-focus grid gap-4">
      <Notice tone="warning" title={t("events.conflictTitle")} live>
        {t("events.conflictText")}
      </Notice>
      <table className="w-full table-fixed text-left text-sm">
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            <th scope="col" className="py-2 pr-3 font-normal">
              {t("events.conflictField")}
            </th>
            <th scope="col" className="py-2 pr-3 font-normal">
              {t("events.conflictSaved")}
            </th>
            <th scope="col" className="py-2 font-normal">
              {t("events.conflictYours")}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ field, saved, yours }) => (
            <tr key={field} className="align-top [overflow-wrap:anywhere]">
              <th scope="row" className="py-2 pr-3 font-semibold">
                {t(LABELS[field])}
              </th>
              <td className="py-2 pr-3 whitespace-pre-line">{words(field, saved)}</td>
              <td className="py-2 whitespace-pre-line">{words(field, yours)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <LinkButton href={reloadHref} reload>
          {t("events.conflictTakeSaved")}
        </LinkButton>
      </div>
    </div>
  );
}
