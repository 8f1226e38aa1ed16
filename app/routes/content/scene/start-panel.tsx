import { useEffect, useRef } from "react";
import { Button, IconButton, LinkButton } from "~/components/button";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { Notice } from "~/components/status/notice";
import { useHydrated } from "~/components/use-hydrated";
import { useContentField } from "~/forms/content/content-field";
import { pointText } from "~/forms/content/place-fields";
import { checkStart } from "~/forms/content/scene-check";
import {
  SCENE_CONTROLS,
  type StartValues,
  startInput,
  VIEW_FIELDS,
  type ViewInput,
} from "~/forms/content/scene-input";
import { VIEW_CONTROLS, ViewFields } from "~/forms/content/view-fields";
import { useTranslation } from "~/i18n/translation";
import { useDraft } from "../drafts/use-draft";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";
import { useCaptureView } from "../placement/use-capture-view";
import { panoramaNodes } from "./panorama-nodes";
import { rejectedInput, SceneForm } from "./scene-form";
import { ViewCard } from "./view-card";

/** Panel of the start view. */
export function StartPanel({ outcome }: { readonly outcome: ContentOutcome | null }) {
  const { t } = useTranslation();
  const { source } = useEditorView();
  return (
    <section aria-labelledby="start-title" className="grid grid-cols-1 gap-6">
      <div className="grid gap-1">
        <h2 id="start-title" className="text-base font-semibold">
          {t("content:sceneEditor.start.title")}
        </h2>
        <p className="text-sm text-muted text-phrase">{t("content:sceneEditor.start.text")}</p>
      </div>
      {source.kind === "showcase" ? (
        <>
          <Notice>{t("content:sceneEditor.start.showcase")}</Notice>
          <LinkButton href={panelHref("event")} className="w-fit">
            {t("content:sceneEditor.start.parameters")}
          </LinkButton>
        </>
      ) : (
        <StartForm outcome={outcome} />
      )}
    </section>
  );
}

const FIELDS = ["startView"];

function StartForm({ outcome }: { readonly outcome: ContentOutcome | null }) {
  const { t } = useTranslation();
  const { editor, state, stage, source } = useEditorView();
  const { scene } = state.content;
  const { startView } = scene;
  const saveStart = (values: Partial<StartValues>, key?: string) =>
    editor?.run([{ op: "update_scene", values }], key);
  const draft = useDraft<StartValues, ViewInput>({
    item: scene,
    fields: FIELDS,
    rejected: rejectedInput(outcome),
    toInput: startInput,
    read: checkStart,
    onValues: (values, name) => {
      saveStart(values, `start ${name}`);
      return editor !== null;
    },
  });
  const field = useContentField({ id: "start", ...draft }, SCENE_CONTROLS);
  const hydrated = useHydrated();
  /** A view that was taken before the editor's script was loaded. */
  const viewToSave = useRef<StartValues["startView"]>(null);
  const [captureView, notReadyNotice] = useCaptureView((view) => {
    if (editor) return saveStart({ startView: view });
    viewToSave.current = view;
    // Without the editor's script, the form below shows the view, and its button saves it.
    draft.change(startInput({ startView: view }), "view");
  });
  useEffect(() => {
    if (editor && viewToSave.current)
      editor.run([{ op: "update_scene", values: { startView: viewToSave.current } }]);
    if (editor) viewToSave.current = null;
  }, [editor]);
  return (
    <>
      {startView ? (
        <ViewCard
          view={startView}
          // Until the buttons work, they are disabled instead of absent, so that nothing moves later.
          actions={
            <>
              <IconButton
                icon="eye"
                disabled={!hydrated}
                label={t("content:sceneEditor.view.look")}
                onClick={() => void stage.current?.goTo(startView)}
              />
              <IconButton
                icon="close"
                disabled={!editor}
                label={t("content:sceneEditor.start.clear")}
                onClick={() => saveStart({ startView: null })}
              />
            </>
          }
        />
      ) : (
        <p className="text-phrase">{t("content:sceneEditor.start.own")}</p>
      )}
      <div className="grid gap-2 noscript:hidden">
        <Button variant="primary" icon="place" disabled={!hydrated} className="w-fit" onClick={captureView}>
          {t("content:sceneEditor.view.take")}
        </Button>
        {notReadyNotice}
      </div>
      <SceneForm
        intent="start"
        id="start"
        label={t("content:sceneEditor.start.form")}
        fields={VIEW_FIELDS}
        input={draft.input}
        errors={draft.errors}
        onField={draft.onField}
        originalValues={startView}
        outcome={outcome}
        buttons={
          startView && (
            <Button type="submit" name="do" value="clear" variant="quiet" icon="close">
              {t("content:sceneEditor.start.clear")}
            </Button>
          )
        }
      >
        <FieldDetailsList>
          <FieldDetails
            name="start-view"
            title={t("content:sceneEditor.view.numbers")}
            summary={pointText(draft.input, "view") ?? t("content:view.none")}
            hasError={VIEW_CONTROLS.some((name) => field(name).error.length > 0)}
          >
            <p className="text-xs text-muted text-phrase">{t("content:sceneEditor.view.numbersHint")}</p>
            <ViewFields field={field} input={draft.input} panoramas={panoramaNodes(source)} />
          </FieldDetails>
        </FieldDetailsList>
      </SceneForm>
    </>
  );
}
