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
        {problems.map(({ location, message }) => (
          <li key={`${location} ${message}`} className="wrap-anywhere">
            {location !== null && <code className="mr-2 text-xs">{location}</code>}
            {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
