import { useState } from "react";
import { IconButton } from "~/components/button";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import type { FormDraft } from "./draft";
import { formName } from "./form-name";
import { isThere } from "./unsaved-forms";

/**
 * Discards the input of a form that cannot be saved and is not open. The same button keeps the focus and restores the input, in every panel of
 * the editor, until other input is discarded. @param href address of the form; undefined if there is none
 */
export function DiscardButton({ href }: { readonly href: string | undefined }) {
  const { t, language } = useTranslation();
  const { unfinished, state } = useEditorView();
  const [gone, setGone] = useState<{ readonly href: string; readonly draft: FormDraft<object> } | null>(null);
  const back = gone && !unfinished.all().has(gone.href) && isThere(gone.href, state.content) ? gone : null;
  const named = (form: string) => ({ form: formName(form, state.content, t, language) });
  const discard = (form: string) => {
    const draft = unfinished.all().get(form);
    setGone(draft ? { href: form, draft } : null);
    unfinished.set(form, null);
  };
  const shown = back?.href ?? href;
  if (shown === undefined) return null;
  return (
    <>
      <IconButton
        icon={back ? "undo" : "close"}
        label={t(`content:save.${back ? "discardUndo" : "discard"}`, named(shown))}
        onClick={() => {
          if (!back) return discard(shown);
          setGone(null);
          unfinished.set(shown, back.draft);
        }}
      />
      {back && href !== undefined && (
        <IconButton
          icon="close"
          label={t("content:save.discard", named(href))}
          onClick={() => discard(href)}
        />
      )}
    </>
  );
}
