import { Anchor } from "~/components/anchor";
import { DateTime } from "~/components/date-time";
import { useTranslation } from "~/i18n/translation";

export interface ActivityProps {
  readonly entries: readonly { readonly id: string; readonly at: string; readonly text: string }[];
  readonly timeZone: string;
  /** Where everything stands that was done; null for those who do not see it. */
  readonly allHref: string | null;
}

/** The latest that was done to a space and its events. */
export function Activity({ entries, timeZone, allHref }: ActivityProps) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="activity" className="grid gap-2 text-sm">
      <div className="flex items-center justify-between gap-3">
        <h2 id="activity" className="text-base font-semibold">
          {t("events:spaceEvents.activity")}
        </h2>
        {allHref && (
          <Anchor
            href={allHref}
            className="inline-flex min-h-10 items-center text-accent underline underline-offset-4"
          >
            {t("events:spaceEvents.allActivity")}
          </Anchor>
        )}
      </div>
      {entries.length === 0 ? (
        <p className="text-muted">{t("events:spaceEvents.noActivity")}</p>
      ) : (
        <ol className="grid gap-3">
          {entries.map(({ id, at, text }) => (
            <li key={id} className="grid">
              <span className="[overflow-wrap:anywhere] text-phrase">{text}</span>
              <span className="text-xs text-muted tabular-nums">
                <DateTime instant={at} timeZone={timeZone} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
