import { IconButton } from "~/components/button";
import type { IconName } from "~/components/icon";
import { useTranslation } from "~/i18n/use-translation";

/** What is done with what is ticked in a list of the panel. */
export type Act = "up" | "down" | "duplicate" | "hide" | "show" | "copy" | "delete";

/** A button of a list's selection: it sends the list's form with what is to be done. */
export function ActButton({ act, icon }: { readonly act: Act; readonly icon: IconName }) {
  const { t } = useTranslation();
  return (
    <IconButton
      type="submit"
      variant="secondary"
      name="do"
      value={act}
      icon={icon}
      label={t(`editor.acts.${act}`)}
    />
  );
}
