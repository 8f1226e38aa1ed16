import { useEffect, useState } from "react";
import { Button } from "~/components/button";
import type { RichText } from "~/domain/content/rich-text";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { Rich } from "../../visitors/media/rich";
import { useEditorView } from "../editor/editor-context";
import { askPreview } from "./preview-request";

export interface BodyPreviewProps {
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
export function BodyPreview({ texts, sent }: BodyPreviewProps) {
  const { t } = useTranslation();
  const { editor, eventId } = useEditorView();
  const [isOn, setOn] = useState(false);
  const [came, setCame] = useState<BodyPreviewProps["sent"]>(null);
  const [isLost, setLost] = useState(false);
  const isLive = editor !== null;
  const { ja, en } = texts;
  useEffect(() => setOn(wasOn), []);
  // Asked by itself, not by a navigation or a fetcher: an answer that does not come must not take the editor away.
  useEffect(() => {
    if (!isOn || !isLive) return;
    const gone = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await askPreview(eventId, { ja, en }, gone.signal);
      if (gone.signal.aborted) return;
      if (answer) setCame(answer);
      setLost(answer === null);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [isOn, isLive, eventId, ja, en]);
  const preview = came ?? sent;
  return (
    <section aria-label={t("content:preview.title")} className="grid gap-3">
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
        {t("content:preview.title")}
      </Button>
      {isOn && isLost && <p className="text-xs text-muted">{t("content:preview.lost")}</p>}
      {/* What follows the typing is not read out at every pause. */}
      <div role={isLive ? undefined : "status"} className="grid gap-4 empty:sr-only">
        {preview &&
          (isOn || !isLive) &&
          (["ja", "en"] as const).map((lang) => (
            <div key={lang} className="grid gap-2 rounded border border-line p-3 text-sm">
              <p className="text-xs text-muted">{t(`content:languages.${lang}`)}</p>
              {preview[lang].length > 0 ? (
                <Rich value={{ blocks: preview[lang], lang }} />
              ) : (
                <p className="text-muted">{t("content:preview.none")}</p>
              )}
            </div>
          ))}
      </div>
    </section>
  );
}
