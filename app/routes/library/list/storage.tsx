import { Meter } from "~/components/status/meter";
import { formatBytes } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";

/** Used storage of a library, in bytes. */
export function Storage({ used, limit }: { readonly used: number; readonly limit: number }) {
  const { t } = useTranslation();
  return (
    <div className="mt-2 text-ink sm:max-w-80">
      <Meter
        label={t("shared-owners:people.storage")}
        value={used}
        max={limit}
        text={{ used: formatBytes(used), max: formatBytes(limit) }}
      />
    </div>
  );
}
