import { useEffect, useRef } from "react";
import { LinkButton } from "~/components/button";
import { useDateWords } from "~/components/date-time";
import { Notice } from "~/components/notice";
import { StatusBadge } from "~/components/status";
import type { ConflictRow, ConflictValue, EventField } from "~/domain/event-changes";
import { paramDefinition, type UrlParamDefinitions } from "~/domain/url-params";
import { useTranslation } from "~/i18n/use-translation";
import { useParamWords } from "./url-param-fields";

export interface EventConflictProps {
  readonly rows: readonly ConflictRow[];
  readonly urlParams: UrlParamDefinitions;
  /** The page without what was typed. */
  readonly reloadHref: string;
  /** The link to it was followed. */
  readonly onReload?: () => void;
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
export function EventConflict({ rows, urlParams, reloadHref, onReload }: EventConflictProps) {
  const { t } = useTranslation();
  const whole = useRef<HTMLDivElement>(null);
  // It may have arrived far from where Update was pressed.
  useEffect(() => whole.current?.focus(), []);
  const head = "py-2 pr-3 font-normal text-phrase";
  const cell = "py-2 pr-3 whitespace-pre-line";
  return (
    <div ref={whole} tabIndex={-1} className="shows-focus grid gap-4">
      <Notice tone="warning" title={t("events.conflictTitle")} live>
        {t("events.conflictText")}
      </Notice>
      <table className="w-full table-fixed text-left text-sm">
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            {(["events.conflictField", "events.conflictSaved", "events.conflictYours"] as const).map(
              (key) => (
                <th key={key} scope="col" className={head}>
                  {t(key)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ field, saved, yours }) => (
            <tr key={field} className="align-top [overflow-wrap:anywhere]">
              <th scope="row" className="py-2 pr-3 font-semibold text-phrase">
                {t(LABELS[field])}
              </th>
              <td className={cell}>
                <Value value={saved} urlParams={urlParams} />
              </td>
              <td className={cell}>
                <Value value={yours} urlParams={urlParams} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <LinkButton href={reloadHref} reload onClick={onReload}>
          {t("events.conflictTakeSaved")}
        </LinkButton>
      </div>
    </div>
  );
}

interface ValueProps {
  readonly value: ConflictValue;
  readonly urlParams: UrlParamDefinitions;
}

/** One side of a field, as people read it. */
function Value({ value, urlParams }: ValueProps) {
  const { t } = useTranslation();
  const dateWords = useDateWords();
  switch (value.kind) {
    case "text":
      return value.text || t("events.none");
    case "date":
      return dateWords(value.local) || t("events.none");
    case "status":
      return <StatusBadge statusId={value.statusId} />;
    case "flag":
      return value.on ? t("events.yes") : t("events.no");
    case "secret":
      return t(`events.conflictSecret.${value.is}`);
    case "params":
      return <Params params={value.params} definitions={urlParams} />;
  }
}

interface ParamsProps {
  readonly params: Extract<ConflictValue, { kind: "params" }>["params"];
  readonly definitions: UrlParamDefinitions;
}

function Params({ params, definitions }: ParamsProps) {
  const words = useParamWords();
  return (
    <dl className="grid gap-2">
      {params.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-muted">{name}</dt>
          <dd>{words(paramDefinition(definitions, name), value)}</dd>
        </div>
      ))}
    </dl>
  );
}
