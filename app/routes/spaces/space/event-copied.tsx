import { LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";

/** Reports a copy, with a link to its tags; if items lost their position, to the tags without one. */
export function EventCopied({
  copy,
}: {
  readonly copy: { readonly id: string; readonly name: string; readonly unplacedCount: number };
}) {
  const { t } = useTranslation();
  const { id, name, unplacedCount } = copy;
  return (
    <Notice tone="success" title={t("events:spaceEvents.copied")} live>
      {unplacedCount > 0 && (
        <p className="text-phrase">{t("events:spaceEvents.toPlace", { count: unplacedCount })}</p>
      )}
      <LinkButton
        href={`/event/${id}?panel=tags${unplacedCount > 0 ? "&show=unplaced" : ""}`}
        className="mt-2 w-fit"
      >
        {t("events:spaceEvents.openCopy", { name })}
      </LinkButton>
    </Notice>
  );
}
