import type { ReactNode } from "react";
import type { TextDifference } from "~/domain/events/history";
import { useTranslation } from "~/i18n/translation";

/** Changed texts of an item, before and after. */
export function TextDifferences({ texts }: { readonly texts: readonly TextDifference[] }) {
  const { t } = useTranslation();
  return texts.map(({ field, lang, before, after }) => (
    <Sides
      key={`${field} ${lang}`}
      label={
        lang === null
          ? t(`events:history.texts.${field}`)
          : t("events:history.textIn", {
              field: t(`events:history.texts.${field}`),
              lang: t(`events:history.langs.${lang}`),
            })
      }
      lang={lang ?? undefined}
      before={before}
      after={after}
    />
  ));
}

/** One text or value before and after, side by side. */
export function Sides({
  label,
  lang,
  before,
  after,
  hidesLabel = false,
}: {
  readonly label: string;
  readonly lang?: string;
  readonly before: string;
  readonly after: string;
  /** The label is already displayed above. */
  readonly hidesLabel?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-1">
      {!hidesLabel && <p className="text-muted">{label}</p>}
      <dl className="grid gap-2 sm:grid-cols-2">
        <Side term={t("events:history.before")} lang={lang} className="border-danger/40 bg-danger/6">
          {before}
        </Side>
        <Side term={t("events:history.after")} lang={lang} className="border-success/40 bg-success/6">
          {after}
        </Side>
      </dl>
    </div>
  );
}

function Side({
  term,
  lang,
  className,
  children,
}: {
  readonly term: string;
  readonly lang?: string;
  readonly className: string;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className={`rounded border px-3 py-2 ${className}`}>
      <dt className="text-xs text-muted">{term}</dt>
      <dd lang={children === "" ? undefined : lang} className="whitespace-pre-line wrap-anywhere">
        {children === "" ? <span className="text-muted">{t("events:history.empty")}</span> : children}
      </dd>
    </div>
  );
}
