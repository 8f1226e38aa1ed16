import { Anchor } from "~/components/anchor";
import { Notice } from "~/components/status/notice";
import { inLanguage } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";

/**
 * Names the media items that visitors do not see because their files are in the library's trash.
 * @param tagId limits them to the media of a tag; null for a tag that is still to be created, undefined for all media of the event
 */
export function TrashNotice({ tagId }: { readonly tagId?: Uuid | null }) {
  const { t, language } = useTranslation();
  const { trashed } = useEditorView();
  const trashedMedia =
    tagId === undefined ? trashed : trashed.filter(({ tagIds }) => tagId && tagIds.includes(tagId));
  if (trashedMedia.length === 0) return null;
  return (
    <Notice tone="warning" title={t("content:trashed.title")}>
      <ul className="list-disc ps-5">
        {trashedMedia.map(({ id, title }) => (
          <li key={id} className="wrap-anywhere">
            {inLanguage(title, language).text}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-phrase">
        {t("content:trashed.text")}
        {t("shared:space")}
        <Anchor href="/library?show=trash" className="text-accent underline">
          {t("content:trashed.open")}
        </Anchor>
      </p>
    </Notice>
  );
}
