import { useEffect, useState } from "react";
import { Button } from "~/components/button";
import type { RichText } from "~/domain/content/rich-text";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { Rich } from "../../visitors/media/rich";
import { useEditorView } from "../editor/editor-context";
import { requestPreview } from "./preview-request";

export interface BodyPreviewProps {
  /** Typed texts by language. */
  readonly texts: Readonly<Record<Lang, string>>;
  /** Preview in the response to a form that requested it without scripts. */
  readonly submittedPreview: Readonly<Record<Lang, RichText>> | null;
}

/** Pause of typing after which the preview is updated, in milliseconds. */
const PAUSE_MS = 400;
/** Whether the preview is on. Kept for the next tag that the editor opens in this tab of the browser. */
let isOnInTab = false;

/** Preview of a tag's formatted texts. The server parses them as it does for visitors; with scripts at every pause of typing. */
export function BodyPreview({ texts, submittedPreview }: BodyPreviewProps) {
  const { t } = useTranslation();
  const { editor, eventId } = useEditorView();
  const [isOn, setOn] = useState(false);
  const [livePreview, setLivePreview] = useState<BodyPreviewProps["submittedPreview"]>(null);
  const [hasFailed, setFailed] = useState(false);
  const isLive = editor !== null;
  const { ja, en } = texts;
  useEffect(() => setOn(isOnInTab), []);
  // A plain fetch, not a navigation or a fetcher: a failed request must not replace the editor with an error page.
  useEffect(() => {
    if (!isOn || !isLive) return;
    const outdated = new AbortController();
    const timer = setTimeout(async () => {
      const newPreview = await requestPreview(eventId, { ja, en }, outdated.signal);
      if (outdated.signal.aborted) return;
      if (newPreview) setLivePreview(newPreview);
      setFailed(newPreview === null);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      outdated.abort();
    };
  }, [isOn, isLive, eventId, ja, en]);
  const preview = livePreview ?? submittedPreview;
  const nonEmptyLangs = (["ja", "en"] as const).filter((lang) => preview && preview[lang].length > 0);
  return (
    <section aria-label={t("content:preview.title")} className="grid gap-3">
      <Button
        type={isLive ? "button" : "submit"}
        name="then"
        value="preview"
        variant="quiet"
        icon="eye"
        aria-pressed={isLive ? isOn : undefined}
        className="-ml-3 w-fit"
        onClick={() => {
          if (!isLive) return;
          isOnInTab = !isOn;
          setOn(isOnInTab);
        }}
      >
        {t("content:preview.title")}
      </Button>
      {isOn && hasFailed && <p className="text-xs text-muted">{t("content:preview.lost")}</p>}
      {/* Screen readers do not announce a live preview at every pause of typing. */}
      <div role={isLive ? undefined : "status"} className="grid gap-4 empty:sr-only">
        {preview &&
          (isOn || !isLive) &&
          (nonEmptyLangs.length > 0 ? (
            nonEmptyLangs.map((lang) => (
              <div key={lang} className="grid gap-2 rounded border border-line p-3 text-sm">
                {nonEmptyLangs.length > 1 && (
                  <p className="text-xs text-muted">{t(`shared-owners:languages.${lang}`)}</p>
                )}
                <Rich value={{ blocks: preview[lang], lang }} />
              </div>
            ))
          ) : (
            <p className="text-sm text-muted">{t("content:preview.none")}</p>
          ))}
      </div>
    </section>
  );
}
