import { LinkButton } from "~/components/button";
import { useTranslation } from "~/i18n/translation";

/** Links for exporting a space and for importing events into it. */
export function SpaceAsFile({ spaceId }: { readonly spaceId: string }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-2">
      <div className="-ml-3 flex flex-wrap gap-1">
        <LinkButton variant="quiet" icon="download" href={`/space/${spaceId}/export`} download>
          {t("transfer:export")}
        </LinkButton>
        <LinkButton variant="quiet" icon="upload" href={`/imports/new?space=${spaceId}`}>
          {t("transfer:importEvent")}
        </LinkButton>
      </div>
      <p className="text-xs text-muted text-phrase">{t("transfer:exportSpaceText")}</p>
    </div>
  );
}
