import { useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { IconButton } from "~/components/button";
import { useTranslation } from "~/i18n/use-translation";
import type { Draft } from "./draft";
import { useEditorView } from "./editor-context";
import { formName } from "./form-name";
import { formHref } from "./panels";

/**
 * Discards what cannot be saved in a form that is not the open one. The same button, which keeps the focus, brings it back until one
 * goes elsewhere. @param href the form's address; undefined when there is none
 */
export function DiscardButton({ href }: { readonly href: string | undefined }) {
  const { t, language } = useTranslation();
  const { unfinished, state } = useEditorView();
  const here = formHref(useSearchParams()[0]);
  const [gone, setGone] = useState<{ here: string; href: string; draft: Draft<object> } | null>(null);
  const back = gone?.here === here && !unfinished.all().has(gone.href) ? gone : null;
  const shown = back?.href ?? href;
  if (shown === undefined) return null;
  const form = formName(shown, state.content, t, language);
  return (
    <IconButton
      icon={back ? "undo" : "close"}
      label={t(`editor.save.${back ? "discardUndo" : "discard"}`, { form })}
      onClick={() => {
        const draft = unfinished.all().get(shown);
        setGone(back || !draft ? null : { here, href: shown, draft });
        unfinished.set(shown, back?.draft ?? null);
      }}
    />
  );
}
