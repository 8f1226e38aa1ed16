import { useFetcher } from "@remix-run/react";
import type { RefObject } from "react";
import { Button } from "~/components/button";
import type { Lang } from "~/domain/model";
import type { RichText } from "~/domain/rich-text";
import { useTranslation } from "~/i18n/use-translation";
import { Rich } from "../visit/rich";
import type { contentAction } from "./content-action.server";
import { useEditorView } from "./editor-context";

export interface BodyPreviewProps {
  readonly form: RefObject<HTMLFormElement>;
  /** What came with the page, when the form was sent for it. */
  readonly sent: Readonly<Record<Lang, RichText>> | null;
}

/** What the texts of a tag look like with their marks. The server reads them, as it does for visitors. */
export function BodyPreview({ form, sent }: BodyPreviewProps) {
  const { t } = useTranslation();
  const { editor } = useEditorView();
  const fetcher = useFetcher<typeof contentAction>();
  const answer = fetcher.data && "preview" in fetcher.data ? fetcher.data.preview : null;
  const preview = answer ?? sent;
  return (
    <section aria-label={t("editor.preview.title")} className="grid gap-3">
      <Button
        type="submit"
        name="then"
        value="preview"
        icon="eye"
        pending={fetcher.state !== "idle"}
        className="w-fit"
        onClick={(event) => {
          if (!editor || !form.current) return;
          event.preventDefault();
          const typed = new FormData(form.current);
          typed.set("then", "preview");
          fetcher.submit(typed, { method: "post" });
        }}
      >
        {preview ? t("editor.preview.show") : t("editor.preview.title")}
      </Button>
      <div role="status" className="grid gap-4 empty:hidden">
        {preview &&
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
