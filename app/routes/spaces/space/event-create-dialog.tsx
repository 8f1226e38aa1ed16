import { Dialog } from "~/components/dialog";
import { EventCreateForm, type EventCreateFormProps } from "~/forms/events/event-create-form";
import { useTranslation } from "~/i18n/translation";

/** Dialog that creates an event in a space. */
export default function EventCreateDialog(props: EventCreateFormProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("spaces:detail.createEvent")} closeHref={props.cancelHref}>
      <EventCreateForm {...props} />
    </Dialog>
  );
}
