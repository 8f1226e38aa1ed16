import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Anchor } from "~/components/anchor";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { TOUR_STOPS_MAX } from "~/domain/shared/limits";
import type { TourStop } from "~/domain/shared/model";
import { checkStop } from "~/forms/content/scene-check";
import {
  NEW_STOP,
  STOP_FIELDS,
  type StopInput,
  type StopValues,
  startInput,
  stopInput,
} from "~/forms/content/scene-input";
import { StopFormFields } from "~/forms/content/stop-form-fields";
import { useTranslation } from "~/i18n/translation";
import { useDraft } from "../drafts/use-draft";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";
import { useArrivalFocus } from "../focus/use-arrival-focus";
import { useCaptureView } from "../placement/use-capture-view";
import { panoramaNodes } from "../scene/panorama-nodes";
import { rejectedInput, SceneForm } from "../scene/scene-form";
import { StopActions } from "./stop-actions";
import { stopTitle } from "./stop-title";
import { lacksPosition, stopHiddenReason } from "./tour-actions";
import type { StopEditorProps } from "./tour-props";

const EDITED_FIELDS = Object.keys(NEW_STOP);

/** Form of one stop. */
export function StopEditor(props: StopEditorProps) {
  const { id, stop, tour, setTour, playFrom, outcome } = props;
  const { t, language } = useTranslation();
  const navigate = useNavigate();
  const { editor, state, stage, source, canPlace } = useEditorView();
  const { tags } = state.content;
  const save = (values: Partial<StopValues>, name: string) => {
    if (!editor) return false;
    const currentTour = editor.state().content.scene.tour;
    if (currentTour.some((tourStop) => tourStop.id === id)) {
      const changedTour = currentTour.map((tourStop) =>
        tourStop.id === id ? { ...tourStop, ...values } : tourStop,
      );
      setTour(changedTour, `${id} ${name}`);
      return true;
    }
    // A new stop is created once it has a position, together with everything that was typed before.
    const allValues = { ...checkStop(input.current, NEW_STOP).values, ...values };
    // If the tour is full, the new stop is not added, and its input is kept until another stop is deleted.
    if ((!allValues.tagId && !allValues.viewpoint) || currentTour.length >= TOUR_STOPS_MAX) return false;
    setTour([...currentTour, { ...NEW_STOP, ...allValues, id }]);
    navigate(panelHref("tour", { stop: id }), { replace: true, preventScrollReset: true });
    return true;
  };
  const isFull = !stop && tour.length >= TOUR_STOPS_MAX;
  const draft = useDraft<StopValues, StopInput>({
    item: stop ?? NEW_STOP,
    isOverLimit: isFull,
    fields: EDITED_FIELDS,
    rejected: rejectedInput(outcome),
    toInput: stopInput,
    read: checkStop,
    onValues: save,
  });
  const input = useRef(draft.input);
  input.current = draft.input;
  const onField = (name: string, value: string) => {
    input.current = { ...input.current, [name]: value };
    draft.onField(name, value);
  };
  const changeView = (startView: TourStop["viewpoint"]) => {
    const view = startInput({ startView });
    input.current = { ...input.current, ...view };
    draft.change(view, "view");
  };
  // Input that was kept while the tour was full is saved once there is room, for example because a stop was deleted while this form was closed.
  const wasFull = useRef(isFull || (!stop && draft.isEdited));
  // biome-ignore lint/correctness/useExhaustiveDependencies: saves the input once when there is room
  useEffect(() => {
    if (wasFull.current && !isFull && !stop) save({}, "room");
    wasFull.current = isFull;
  }, [isFull]);
  const [captureView, notReadyNotice] = useCaptureView(changeView);
  // The missing position of a stop is reported only after the user has typed something.
  const hasInput = stop !== undefined || draft.isEdited || outcome?.scene !== undefined;
  const { viewpoint: positionError, ...otherErrors } = draft.errors;
  const errors = hasInput || !positionError ? draft.errors : otherErrors;
  const index = stop ? tour.indexOf(stop) : tour.length;
  const hiddenReason = stop && stopHiddenReason(stop, tags);
  const isUnplaced = stop !== undefined && lacksPosition(stop, tags);
  const viewTarget = isUnplaced ? null : (stop?.viewpoint ?? (stop?.tagId ? { pinId: stop.tagId } : null));
  const needsPosition = isUnplaced && !hiddenReason && canPlace;
  const title = stop ? stopTitle(stop, index, tags, t, language) : t("content:sceneEditor.tour.newTitle");
  return (
    <div className="grid grid-cols-1 gap-6">
      <StopHead title={title} />
      {isFull && (
        <Notice tone="warning" title={t("content:errors.tour.tooMany")} live>
          {editor && t("content:sceneEditor.tour.tourFull")}
        </Notice>
      )}
      {hiddenReason && <Notice tone="warning">{t(`content:sceneEditor.tour.${hiddenReason}`)}</Notice>}
      {needsPosition && <Notice tone="warning">{t("content:sceneEditor.tour.nowhere")}</Notice>}
      {editor && stop && !hiddenReason && (
        <ButtonRow>
          {viewTarget && (
            <Button icon="eye" onClick={() => void stage.current?.goTo(viewTarget)}>
              {t("content:sceneEditor.view.look")}
            </Button>
          )}
          <Button icon="play" onClick={() => playFrom?.(id)}>
            {t("content:sceneEditor.tour.playHere")}
          </Button>
        </ButtonRow>
      )}
      <SceneForm
        intent="stop"
        id="stop"
        label={t("content:sceneEditor.tour.form")}
        fields={STOP_FIELDS}
        input={draft.input}
        errors={errors}
        onField={onField}
        originalValues={stop ?? null}
        outcome={outcome}
        buttons={
          <LinkButton href={panelHref("tour")} variant="quiet" keepScroll>
            {t("content:sceneEditor.tour.back")}
          </LinkButton>
        }
      >
        <input type="hidden" name="id" value={id} />
        {!stop && <input type="hidden" name="new" value="1" />}
        <StopFormFields
          id="stop"
          input={draft.input}
          errors={errors}
          onField={onField}
          tags={tags}
          panoramas={panoramaNodes(source)}
          hasNoViews={source.kind === "showcase"}
          viewTools={
            editor && (
              <div className="grid gap-2">
                <ButtonRow>
                  <Button icon="place" onClick={captureView}>
                    {t("content:sceneEditor.view.take")}
                  </Button>
                  {stop?.viewpoint && stop.tagId && (
                    <Button variant="quiet" icon="close" onClick={() => changeView(null)}>
                      {t("content:sceneEditor.tour.takeOut")}
                    </Button>
                  )}
                </ButtonRow>
                {notReadyNotice}
              </div>
            )
          }
        />
      </SceneForm>
      {stop && <StopActions {...props} />}
    </div>
  );
}

/** The link back to the list and the stop's title, which receives the focus when the form opens. */
function StopHead({ title }: { readonly title: string }) {
  const { t } = useTranslation();
  const heading = useArrivalFocus();
  return (
    <div>
      <Anchor
        href={panelHref("tour")}
        keepScroll
        className="inline-flex min-h-10 items-center gap-2 text-sm text-muted hover:underline"
      >
        <Icon name="arrow-left" size={16} />
        {t("content:sceneEditor.tour.back")}
      </Anchor>
      <h2 ref={heading} tabIndex={-1} className="text-lg leading-title font-semibold wrap-anywhere">
        {title}
      </h2>
    </div>
  );
}
