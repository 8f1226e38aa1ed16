import { DateTime } from "~/components/date-time";
import { useTranslation } from "~/i18n/translation";
import { SideSection } from "./side-section";

export interface ActivityProps {
  readonly entries: readonly { readonly id: string; readonly at: string; readonly text: string }[];
  readonly timeZone: string;
  /** URL of the audit log; null for users who may not see it. */
  readonly allHref: string | null;
}

/** Latest entries of the audit log for a space and its events. */
export function Activity({ entries, timeZone, allHref }: ActivityProps) {
  const { t } = useTranslation();
  return (
    <SideSection
      id="activity"
      title={t("events:spaceEvents.activity")}
      link={{ href: allHref, label: t("events:spaceEvents.allActivity") }}
    >
      {entries.length === 0 ? (
        <p className="text-muted">{t("events:spaceEvents.noActivity")}</p>
      ) : (
        <ol className="grid gap-3">
          {entries.map(({ id, at, text }) => (
            <li key={id} className="grid">
              <span className="wrap-anywhere text-phrase">{text}</span>
              <span className="text-xs text-muted tabular-nums">
                <DateTime instant={at} timeZone={timeZone} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </SideSection>
  );
}
