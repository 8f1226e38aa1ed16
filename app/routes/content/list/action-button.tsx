import { Icon, type IconName } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";

/** Actions on the selected items of a list. */
export type ListButtonAction = "up" | "down" | "duplicate" | "hide" | "show" | "copy" | "delete";

/** Button that submits a list's form with an action on the selected items: an icon above a short label. */
export function ActionButton({
  action,
  icon,
}: {
  readonly action: ListButtonAction;
  readonly icon: IconName;
}) {
  const { t } = useTranslation();
  const label = t(`content:actions.${action}`);
  return (
    <button
      type="submit"
      name="do"
      value={action}
      aria-label={label}
      title={label}
      className="inline-flex min-h-12 min-w-12 flex-col items-center justify-center gap-0.5 rounded px-1 text-xs whitespace-nowrap hover:bg-ink/7"
    >
      <Icon name={icon} />
      {t(`content:actionsShort.${action}`)}
    </button>
  );
}
