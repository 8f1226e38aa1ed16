import { useTranslation } from "~/i18n/translation";

/** The app's version, which is visible outside of production: `<VersionText version={version} />`. With null, nothing is shown. */
export function VersionText({ version }: { readonly version: string | null }) {
  const { t } = useTranslation();
  if (!version) return null;
  return <p className="text-xs text-muted tabular-nums">{t("shared:version", { version })}</p>;
}
