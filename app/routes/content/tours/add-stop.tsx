import { Form } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { Button, LinkButton } from "~/components/button";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { ComboboxField } from "~/components/fields/select-field";
import { TOUR_STOPS_MAX } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import type { TourStop } from "~/domain/shared/model";
import { NEW_STOP, type StopValues } from "~/forms/content/scene-input";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";
import { useCaptureView } from "../placement/use-capture-view";
import type { TourPartProps } from "./tour-props";

/** Section of the tour panel that adds a stop: at the current view, at a tag, or at coordinates. */
export function AddStop({ tour, setTour, openStop }: Pick<TourPartProps, "tour" | "setTour" | "openStop">) {
  const { t, language } = useTranslation();
  const { editor, state, canPlace, connection } = useEditorView();
  const [problem, setProblem] = useState("");
  const add = (values: Partial<StopValues>) => {
    const stop: TourStop = { ...NEW_STOP, ...values, id: crypto.randomUUID() };
    setTour([...tour, stop]);
    openStop(stop.id);
  };
  const [captureView, notReadyNotice] = useCaptureView((viewpoint) => add({ viewpoint }));
  const { tags } = state.content;
  if (tour.length >= TOUR_STOPS_MAX)
    return <p className="text-sm text-muted text-phrase">{t("content:errors.tour.tooMany")}</p>;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (!editor) return;
    event.preventDefault();
    const tagId = String(new FormData(event.currentTarget).get("tagId") ?? "");
    setProblem(tagId ? "" : t("content:sceneEditor.tour.chooseTag"));
    if (tagId) add({ tagId });
  };
  return (
    <section aria-labelledby="add-stop" className="grid gap-3">
      <h3 id="add-stop" className="sr-only">
        {t("content:sceneEditor.tour.add")}
      </h3>
      {editor && canPlace && (
        <Button variant="primary" icon="plus" className="w-fit" onClick={captureView}>
          {t("content:sceneEditor.tour.addView")}
        </Button>
      )}
      {notReadyNotice}
      <FieldDetailsList>
        <FieldDetails
          name="add-stop"
          title={t("content:sceneEditor.tour.addOther")}
          summary={t("content:sceneEditor.tour.addOtherState")}
          hasError={problem !== ""}
        >
          {tags.length > 0 && (
            <Form method="post" onSubmit={onSubmit} className="flex items-end gap-2">
              <input type="hidden" name="intent" value="tour" />
              <ComboboxField
                name="tagId"
                id="add-tag"
                label={t("content:sceneEditor.tour.tag")}
                error={problem}
                className="min-w-0 flex-1"
                options={[
                  { value: "", label: t("content:sceneEditor.tour.noTag") },
                  ...tags.map((tag) => ({
                    value: tag.id,
                    label: inLanguage(tag.title, language).text || t("content:untitled"),
                  })),
                ]}
              />
              <Button type="submit" name="do" value="add" icon="plus">
                {t("content:sceneEditor.tour.addTag")}
              </Button>
            </Form>
          )}
          {(canPlace || connection === null) && (
            <LinkButton icon="edit" href={panelHref("tour", { stop: "new" })} keepScroll className="w-fit">
              {t("content:sceneEditor.tour.addNumbers")}
            </LinkButton>
          )}
        </FieldDetails>
      </FieldDetailsList>
    </section>
  );
}
