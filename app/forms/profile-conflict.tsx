import { useEffect, useRef } from "react";
import { LinkButton } from "~/components/button";
import { Notice } from "~/components/notice";
import { isLang } from "~/domain/lang";
import type { ProfileField } from "~/domain/profile.schema";
import { useTranslation } from "~/i18n/use-translation";

export interface ProfileConflictProps {
  readonly rows: readonly { readonly field: ProfileField; readonly saved: string; readonly yours: string }[];
  /** The page without what was typed. */
  readonly reloadHref: string;
}

/** Both versions of a profile that was saved twice: what is saved now, and what this form would save. */
export function ProfileConflict({ rows, reloadHref }: ProfileConflictProps) {
  const { t } = useTranslation();
  const whole = useRef<HTMLDivElement>(null);
  // It may have arrived far from where Save was pressed.
  useEffect(() => whole.current?.focus(), []);
  const words = (field: ProfileField, value: string) =>
    field === "language" && isLang(value)
      ? t(`account.profile.languageName.${value}`)
      : value || t("account.none");
  const head = "py-2 pr-3 font-normal text-phrase";
  return (
    <div ref={whole} tabIndex={-1} className="shows-focus grid gap-4">
      <Notice tone="warning" title={t("account.profile.conflictTitle")} live>
        {t("account.profile.conflictText")}
      </Notice>
      <table className="w-full table-fixed text-left text-sm">
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            <th scope="col" className={head}>
              {t("account.profile.conflictField")}
            </th>
            <th scope="col" className={head}>
              {t("account.profile.conflictSaved")}
            </th>
            <th scope="col" className={head}>
              {t("account.profile.conflictYours")}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ field, saved, yours }) => (
            <tr key={field} className="align-top wrap-anywhere">
              <th scope="row" className="py-2 pr-3 font-semibold text-phrase">
                {t(`account.profile.${field}`)}
              </th>
              <td className="py-2 pr-3">{words(field, saved)}</td>
              <td className="py-2 pr-3">{words(field, yours)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <LinkButton href={reloadHref} reload>
          {t("account.profile.takeSaved")}
        </LinkButton>
      </div>
    </div>
  );
}
