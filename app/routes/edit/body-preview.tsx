import { useFetcher } from "@remix-run/react";
import { type RefObject, useEffect, useState } from "react";
import { Button } from "~/components/button";
import type { Lang } from "~/domain/model";
import type { RichText } from "~/domain/rich-text";
import { useTranslation } from "~/i18n/use-translation";
import { Rich } from "../visit/rich";
import type { contentAction } from "./content-action.server";
import { useEditorView } from "./editor-context";

export interface BodyPreviewProps {
  readonly form: RefObject<HTMLFormElement>;
  /** The texts as they are typed. */
  readonly texts: Readonly<Record<Lang, string>>;
  /** What came with the page, when the form was sent for it. */
  readonly sent: Readonly<Record<Lang, RichText>> | null;
}

/** How long nobody may type before the preview follows, in milliseconds. */
const PAUSE_MS = 400;
/** Whoever wants to see one tag's text wants to see the next one's: switched in the browser alone. */
let wasOn = false;

/** What the texts of a tag look like with their marks. The server reads them, as it does for visitors; with scripts at every pause. */
export function BodyPreview({ form, texts, sent }: BodyPreviewProps) {
  const { t } = useTranslation();
  const { editor } = useEditorView();
  const { submit, data } = useFetcher<typeof contentAction>();
  const [isOn, setOn] = useState(false);
  const isLive = editor !== null;
  useEffect(() => setOn(wasOn), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when a text is another one
  useEffect(() => {
    if (!isOn || !isLive) return;
    const timer = setTimeout(() => {
      if (!form.current) return;
      const typed = new FormData(form.current);
      typed.set("then", "preview");
      submit(typed, { method: "post" });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isOn, isLive, texts.ja, texts.en]);
  const preview = (data && "preview" in data ? data.preview : null) ?? sent;
  return (
    <section aria-label={t("editor.preview.title")} className="grid gap-3">
      <Button
        type={isLive ? "button" : "submit"}
        name="then"
        value="preview"
        icon="eye"
        aria-pressed={isLive ? isOn : undefined}
        className="w-fit"
        onClick={() => {
          if (!isLive) return;
          wasOn = !isOn;
          setOn(wasOn);
        }}
      >
        {t("editor.preview.title")}
      </Button>
      {/* What follows the typing is not read out at every pause. */}
      <div role={isLive ? undefined : "status"} className="grid gap-4 empty:hidden">
        {preview &&
          (isOn || !isLive) &&
          (["ja", "en"] as const).map((lang) => (
            <div key={lang} className="grid gap-2 rounded border border-line p-3 text-sm">
              <p className="text-xs text-muted">{t(`editor.languages.${lang}`)}</p>
              {preview[lang].length > 0 ? (
                <Rich value={{ blocks: preview[lang], lang }} />
              ) : (
                <p className="text-muted">{t("editor.preview.none")}</p>
              )}
            </div>
          ))}
      </div>
    </section>
  );
}
