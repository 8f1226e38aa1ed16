import { Button, ButtonRow, LinkButton } from "~/components/button";
import { useTranslation } from "~/i18n/translation";

/**
 * Buttons for pages without scripts: one saves a form of the panel (or overwrites the other version after a conflict), the other one leads back to
 * the list.
 */
export function SaveRow({
  backHref,
  overwrites,
}: {
  readonly backHref: string;
  readonly overwrites: boolean;
}) {
  const { t } = useTranslation();
  return (
    <ButtonRow
      isActionBar
      className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-raised px-4 py-3 sm:-mx-6 sm:px-6"
    >
      <Button type="submit" variant="primary">
        {overwrites ? t("events:conflictOverwrite") : t("content:save.button")}
      </Button>
      <LinkButton href={backHref} variant="quiet" keepScroll>
        {t("content:back")}
      </LinkButton>
    </ButtonRow>
  );
}
