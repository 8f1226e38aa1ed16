import { cx } from "~/components/cx";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";

/** Marks an item that visitors do not see, with the same dashes as its pin in the space. */
export function DraftMark({ className }: { readonly className?: string }) {
  const { t } = useTranslation();
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1 rounded-full border border-dashed border-edge px-2 text-xs leading-5 font-normal text-muted",
        className,
      )}
    >
      <Icon name="eye-off" size={16} />
      {t("content:hiddenMark")}
    </span>
  );
}
