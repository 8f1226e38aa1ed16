import { Icon, type IconName } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";

/** What is done with what is ticked in a list of the panel. */
export type Act = "up" | "down" | "duplicate" | "hide" | "show" | "copy" | "delete";

/** A button of a list's selection: it sends the list's form with what is to be done. Its picture has a short name below it. */
export function ActButton({ act, icon }: { readonly act: Act; readonly icon: IconName }) {
  const { t } = useTranslation();
  const label = t(`content:acts.${act}`);
  return (
    <button
      type="submit"
      name="do"
      value={act}
      aria-label={label}
      title={label}
      className="inline-flex min-h-12 min-w-12 flex-col items-center justify-center gap-0.5 rounded px-1 text-xs whitespace-nowrap hover:bg-ink/7"
    >
      <Icon name={icon} />
      {t(`content:actsShort.${act}`)}
    </button>
  );
}
