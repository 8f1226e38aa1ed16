import { useFormatDate } from "~/components/date-time";
import { StatusBadge } from "~/components/status/status";
import type { ConflictRow, ConflictValue, EventField } from "~/domain/events/event-changes";
import { paramDefinition, type UrlParamDefinitions } from "~/domain/events/url-params";
import { useTranslation } from "~/i18n/translation";
import { ConflictTable } from "../shared/conflict-table";
import { useFormatParam } from "../spaces/url-param-fields";

export interface EventConflictProps {
  readonly rows: readonly ConflictRow[];
  readonly urlParams: UrlParamDefinitions;
  /** URL of the page without the typed values. */
  readonly reloadHref: string;
  /** Called when the user follows the link to `reloadHref`. */
  readonly onReload?: () => void;
}

const LABELS = {
  eventName: "events:name",
  startDate: "events:start",
  endDate: "events:end",
  statusId: "events:status",
  enableAutoChangeStatus: "events:autoChange",
  eventDetail: "events:detail",
  spStoreUrl: "events:storeUrl",
  spAccessToken: "events:storeToken",
  publishPassword: "events:password",
  showBeforePassword: "events:showBeforePassword",
  urlParams: "events:urlParams",
} as const satisfies Record<EventField, string>;

/** Shows the saved version of an event and this form's version after an edit conflict. */
export function EventConflict({ rows, urlParams, reloadHref, onReload }: EventConflictProps) {
  const { t } = useTranslation();
  return (
    <ConflictTable
      title={t("events:conflictTitle")}
      text={t("events:conflictText")}
      heads={[t("events:conflictField"), t("events:conflictSaved"), t("events:conflictYours")]}
      rows={rows.map(({ field, lang, saved, yours }) => ({
        field: `${field} ${lang}`,
        label: lang
          ? t("events:inLanguage", {
              field: t(LABELS[field]),
              language: t(`shared-owners:languages.${lang}`),
            })
          : t(LABELS[field]),
        saved: <Value value={saved} urlParams={urlParams} />,
        yours: <Value value={yours} urlParams={urlParams} />,
      }))}
      savedLink={{ href: reloadHref, label: t("events:conflictUseSaved"), onClick: onReload }}
    />
  );
}

interface ValueProps {
  readonly value: ConflictValue;
  readonly urlParams: UrlParamDefinitions;
}

/** One version of a field's value, as readable text. */
function Value({ value, urlParams }: ValueProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  switch (value.kind) {
    case "text":
      return value.text || t("events:none");
    case "date":
      return formatDate(value.local) || t("events:none");
    case "status":
      return <StatusBadge statusId={value.statusId} />;
    case "flag":
      return value.on ? t("events:yes") : t("events:no");
    case "secret":
      return t(`events:conflictSecret.${value.is}`);
    case "params":
      return <Params params={value.params} definitions={urlParams} />;
  }
}

interface ParamsProps {
  readonly params: Extract<ConflictValue, { kind: "params" }>["params"];
  readonly definitions: UrlParamDefinitions;
}

function Params({ params, definitions }: ParamsProps) {
  const formatParam = useFormatParam();
  return (
    <dl className="grid gap-2">
      {params.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-muted">{name}</dt>
          <dd>{formatParam(paramDefinition(definitions, name), value)}</dd>
        </div>
      ))}
    </dl>
  );
}
