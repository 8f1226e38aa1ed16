import { useFormatDate } from "~/components/date-time";
import { Icon, type IconName } from "~/components/icon";
import type { FieldDifference, ItemChange } from "~/domain/events/history";
import { LANGS } from "~/domain/shared/lang";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import type { StateViewData } from "./page.server";
import { Sides, TextDifferences } from "./sides";

type DifferenceData = NonNullable<StateViewData["difference"]>;

const ICONS: Readonly<Record<ItemChange, IconName>> = {
  added: "plus",
  removed: "minus",
  moved: "place",
  reworded: "edit",
  restyled: "settings",
  hidden: "eye-off",
  shown: "eye",
};
const TONES: Partial<Readonly<Record<ItemChange, string>>> = {
  added: "text-success",
  removed: "text-danger",
};

export interface DifferenceProps {
  readonly difference: DifferenceData;
  readonly timeZone: string;
}

/** Differences between two states, item by item, with the texts before and after. */
export function Difference({ difference, timeZone }: DifferenceProps) {
  const { t } = useTranslation();
  const formatFieldValue = useFormatFieldValue(timeZone);
  const { items, scene, stops, tourReordered, reordered, fields } = difference;
  const eventChanges = [
    ...(reordered ? [t("events:history.reordered")] : []),
    ...(tourReordered ? [t("events:history.tourReordered")] : []),
    // The stops of the tour are listed separately.
    ...scene.flatMap((part) => (part === "tour" ? [] : [t(`events:history.scene.${part}`)])),
  ];
  if (items.length + stops.length + eventChanges.length + fields.length === 0)
    return <p className="text-sm text-muted">{t("events:history.nothing")}</p>;
  return (
    <ul className="ruled text-sm">
      {items.map(({ id, type, title, kinds, texts, number }) => (
        <li key={id} className="grid gap-2 py-3">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {number > 0 && (
              <span className="inline-flex h-6 min-w-6 items-center justify-center rounded-full border border-edge px-1.5 text-xs font-semibold tabular-nums">
                {number}
              </span>
            )}
            <span className="text-muted">{t(`events:history.types.${type}`)}</span>
            <span lang={title.lang} className="font-semibold wrap-anywhere">
              {title.text || t("events:history.untitled")}
            </span>
            <Kinds kinds={kinds} />
          </p>
          <TextDifferences texts={texts} />
        </li>
      ))}
      {stops.map(({ id, at, title, kinds, texts }) => (
        <li key={id} className="grid gap-2 py-3">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-muted">{t("events:history.types.stop")}</span>
            <span lang={title.text ? title.lang : undefined} className="font-semibold wrap-anywhere">
              {title.text || t("events:history.stop", { at })}
            </span>
            <Kinds kinds={kinds} />
          </p>
          <TextDifferences texts={texts} />
        </li>
      ))}
      {eventChanges.map((line) => (
        <li key={line} className="py-3">
          {line}
        </li>
      ))}
      {fields.map((fieldDifference) => (
        <li key={fieldDifference.field} className="grid gap-2 py-3">
          <p className="font-semibold">{t(`events:history.fields.${fieldDifference.field}`)}</p>
          <Sides
            label={t(`events:history.fields.${fieldDifference.field}`)}
            hidesLabel
            before={formatFieldValue(fieldDifference, "before")}
            after={formatFieldValue(fieldDifference, "after")}
          />
        </li>
      ))}
    </ul>
  );
}

function Kinds({ kinds }: { readonly kinds: readonly ItemChange[] }) {
  const { t } = useTranslation();
  return kinds.map((kind) => (
    <span key={kind} className={`inline-flex items-center gap-1 ${TONES[kind] ?? "text-muted"}`}>
      <Icon name={ICONS[kind]} size={16} />
      {t(`events:history.kinds.${kind}`)}
    </span>
  ));
}

/** Formats the value of an event's field. */
function useFormatFieldValue(timeZone: string) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  return (difference: FieldDifference, side: "before" | "after"): string => {
    switch (difference.field) {
      case "startDate":
      case "endDate": {
        const date = difference[side];
        return date === null ? t("events:history.notSet") : formatDate(toLocalInput(date, timeZone));
      }
      case "statusId":
        return t(`shared:statuses.${difference[side]}`);
      case "enableAutoChangeStatus":
      case "showBeforePassword":
        return t(difference[side] ? "events:history.on" : "events:history.off");
      case "hasStore":
      case "hasPassword":
        return t(difference[side] ? "events:history.set" : "events:history.notSet");
      case "urlParams":
        return Object.entries(difference[side])
          .map(([name, value]) => `${name}=${value}`)
          .join("\n");
      case "eventName":
      case "eventDetail": {
        const { before, after } = difference;
        return LANGS.filter((lang) => before[lang] !== after[lang])
          .map((lang) =>
            t("events:history.inLanguage", {
              language: t(`shared-owners:languages.${lang}`),
              text: difference[side][lang] || t("events:none"),
            }),
          )
          .join("\n");
      }
    }
  };
}
