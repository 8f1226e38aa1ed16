import { Form } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button, ButtonRow, DefaultSubmit } from "~/components/button";
import { ContentErrorSummary } from "~/forms/content/content-errors";
import type { ContentErrors } from "~/forms/content/content-field";
import { SCENE_CONTROLS } from "~/forms/content/scene-input";
import { useTranslation } from "~/i18n/translation";
import { useValueLabels } from "../drafts/conflict-notice";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";

export interface SceneFormProps<Name extends string> {
  readonly intent: "start" | "stop" | "plan";
  readonly label: string;
  /** Prefix of the fields' ids. */
  readonly id: string;
  readonly fields: readonly Name[];
  readonly input: Readonly<Record<Name, string>>;
  readonly errors: ContentErrors;
  readonly onField: (name: Name, value: string) => void;
  /** Values that the form was filled from. */
  readonly originalValues: unknown;
  readonly outcome: ContentOutcome | null;
  /** Buttons beside the save button, without scripts. */
  readonly buttons?: ReactNode;
  readonly children: ReactNode;
}

/** Values and errors of a rejected form, by the names of its fields. */
export const rejectedInput = <Input extends object>(outcome: ContentOutcome | null) =>
  (outcome?.scene ?? null) as { readonly input: Input; readonly errors: ContentErrors } | null;

/** Form of the scene. With scripts it saves automatically; without scripts it is submitted. */
export function SceneForm<Name extends string>(props: SceneFormProps<Name>) {
  const { intent, label, id, fields, input, errors, onField, originalValues, outcome, buttons, children } =
    props;
  const { t } = useTranslation();
  const { editor } = useEditorView();
  const labels = useValueLabels();
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the editor is ready, to save text that was typed before hydration
  useEffect(() => {
    if (!editor || !form.current) return;
    const formData = new FormData(form.current);
    for (const name of fields) {
      const value = formData.get(name);
      if (typeof value === "string" && value !== input[name]) onField(name, value);
    }
  }, [editor]);
  return (
    <Form
      ref={form}
      method="post"
      aria-label={label}
      onSubmit={(event) => {
        if (!editor) return;
        event.preventDefault();
        editor.flush();
      }}
      className="grid grid-cols-1 gap-8"
    >
      <DefaultSubmit />
      <input type="hidden" name="intent" value={intent} />
      <input
        type="hidden"
        name="was"
        value={outcome?.scene?.originalValues ?? JSON.stringify(originalValues)}
      />
      {!editor && <ContentErrorSummary id={id} errors={errors} controls={SCENE_CONTROLS} labels={labels} />}
      {children}
      {!editor && (
        <ButtonRow
          isActionBar
          className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-raised px-4 py-3 sm:-mx-6 sm:px-6"
        >
          <Button type="submit" variant="primary">
            {outcome?.conflict ? t("events:conflictOverwrite") : t("content:save.button")}
          </Button>
          {buttons}
        </ButtonRow>
      )}
    </Form>
  );
}
