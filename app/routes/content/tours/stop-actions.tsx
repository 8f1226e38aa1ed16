import { Form, useNavigate } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { Button } from "~/components/button";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";
import { applyTourAction, TOUR_ACTIONS } from "./tour-actions";
import type { StopEditorProps } from "./tour-props";

/** Actions on one stop, below its form. */
export function StopActions(props: StopEditorProps) {
  const { id, tour, setTour, openStop, onDelete } = props;
  const { t } = useTranslation();
  const { editor } = useEditorView();
  const navigate = useNavigate();
  const [isFull, setFull] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const tourAction = TOUR_ACTIONS.find((action) => action === submitter?.value);
    if (!editor || !tourAction) return;
    event.preventDefault();
    const copyId = crypto.randomUUID();
    const newTour = applyTourAction(tour, tourAction, [id], () => copyId);
    if (tourAction === "delete") onDelete([id]);
    setFull(tourAction === "duplicate" && newTour === tour);
    setTour(newTour);
    if (tourAction === "delete") navigate(panelHref("tour"), { preventScrollReset: true });
    else if (tourAction === "duplicate" && newTour !== tour) openStop(copyId);
  };
  return (
    <Form method="post" onSubmit={onSubmit} className="-mx-3 flex flex-wrap gap-1 border-t border-line pt-4">
      <input type="hidden" name="intent" value="tour" />
      <input type="hidden" name="item" value={id} />
      {(
        [
          ["up", "chevron-up"],
          ["down", "chevron-down"],
          ["duplicate", "copy"],
          ["delete", "trash"],
        ] as const
      ).map(([tourAction, icon]) => (
        <Button key={tourAction} type="submit" variant="quiet" icon={icon} name="do" value={tourAction}>
          {t(`content:actions.${tourAction}`)}
        </Button>
      ))}
      <p role="alert" className="basis-full px-3 text-sm text-danger empty:sr-only">
        {isFull && t("content:errors.tour.tooMany")}
      </p>
    </Form>
  );
}
