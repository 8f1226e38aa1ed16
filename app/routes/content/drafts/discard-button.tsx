import { useSyncExternalStore } from "react";
import { IconButton } from "~/components/button";
import { toUuid } from "~/domain/shared/ids";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import type { EditorContent } from "~/features/content/editor/content";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { openItemId, readPanel } from "../editor/panels";
import { stopTitle } from "../tours/stop-title";
import { itemExists } from "./unsaved-forms";

/** Name of one of the editor's forms, by its URL: its panel and its item. */
export function formName(
  href: string,
  { tags, media, scene }: EditorContent,
  t: Translate,
  lang: Lang,
): string {
  const searchParams = new URLSearchParams(href);
  const panel = t(`content:panels.${readPanel(searchParams)}`);
  const stopId = toUuid(searchParams.get("stop"));
  const itemId = toUuid(openItemId(searchParams));
  const index = scene.tour.findIndex(({ id }) => id === stopId);
  const tourStop = scene.tour[index];
  if (tourStop) return `${panel} – ${stopTitle(tourStop, index, tags, t, lang)}`;
  const item = [...tags, ...media].find(({ id }) => id === itemId);
  return item ? `${panel} – ${inLanguage(item.title, lang).text || t("content:untitled")}` : panel;
}

/**
 * Discards the input of a form that cannot be saved and is not open. Afterwards the same button restores the input, until other input is
 * discarded.
 * @param href URL of the form; undefined if there is none
 */
export function DiscardButton({ href }: { readonly href: string | undefined }) {
  const { t, language } = useTranslation();
  const { unsavedForms, state } = useEditorView();
  const { subscribe, discarded: readDiscarded, discard, restore } = unsavedForms;
  const discarded = useSyncExternalStore(subscribe, readDiscarded, readDiscarded);
  const restorable =
    discarded && !unsavedForms.all().has(discarded.href) && itemExists(discarded.href, state.content)
      ? discarded
      : null;
  const labelValues = (unsavedHref: string) => ({ form: formName(unsavedHref, state.content, t, language) });
  const formHref = restorable?.href ?? href;
  if (formHref === undefined) return null;
  return (
    <>
      <IconButton
        icon={restorable ? "undo" : "close"}
        label={t(`content:save.${restorable ? "discardUndo" : "discard"}`, labelValues(formHref))}
        onClick={() => (restorable ? restore() : discard(formHref))}
      />
      {restorable && href !== undefined && (
        <IconButton
          icon="close"
          label={t("content:save.discard", labelValues(href))}
          onClick={() => discard(href)}
        />
      )}
    </>
  );
}
