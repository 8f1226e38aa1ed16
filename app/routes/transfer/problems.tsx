import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";
import type { Problem } from "./send-package";

/** Reasons why a file was not imported, with their locations in the file. */
export function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  const { t } = useTranslation();
  return (
    <Notice tone="danger" title={t("transfer:wrongTitle")} live>
      <p>{t("transfer:wrongText")}</p>
      <ul className="mt-2 grid gap-1">
        {problems.map(({ where, what }) => (
          <li key={`${where} ${what}`} className="[overflow-wrap:anywhere]">
            {where !== null && <code className="mr-2 text-xs">{where}</code>}
            {what}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
