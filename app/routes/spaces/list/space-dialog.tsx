import { Dialog } from "~/components/dialog";
import { SpaceForm, type SpaceFormProps } from "~/forms/spaces/space-form";
import { useTranslation } from "~/i18n/translation";

/** Dialog that creates a space from a showcase. */
export default function SpaceDialog(props: SpaceFormProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("spaces:createTitle")} closeHref={props.cancelHref}>
      <SpaceForm {...props} />
    </Dialog>
  );
}
