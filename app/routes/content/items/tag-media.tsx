import { useNavigate, useSearchParams } from "@remix-run/react";
import { Button, IconButton } from "~/components/button";
import { FieldErrorList } from "~/components/fields/field";
import { Icon } from "~/components/icon";
import { inLanguage } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { HiddenMark } from "../../library/list/hidden-notice";
import { MEDIA_ICONS } from "../../visitors/media/media-icons";
import { useEditorView } from "../editor/editor-context";
import { listHref } from "../editor/panels";
import { TrashNotice } from "../list/trash-notice";
import { useHiddenFile } from "./hidden-files";

export interface TagMediaProps {
  readonly ids: readonly Uuid[];
  /** Null for a tag that is still to be created. */
  readonly tagId: Uuid | null;
  readonly errors?: readonly string[];
  readonly onChange: (ids: readonly Uuid[]) => void;
}

/** Media items of a tag in their order, with buttons that move and remove them. Without scripts the buttons submit the form of the tag. */
export function TagMedia({ ids, tagId, errors, onChange }: TagMediaProps) {
  const { t, language } = useTranslation();
  const message = useMessage();
  const navigate = useNavigate();
  const [searchParams] = useSearchParams();
  const { state, editor } = useEditorView();
  const getHiddenFile = useHiddenFile();
  const media = ids.flatMap((id) => state.content.media.find((mediaItem) => mediaItem.id === id) ?? []);
  /** Moves an item by a number of places, or removes it when `step` is null. */
  const move = (id: Uuid, step: number | null) => {
    const otherIds = ids.filter((candidate) => candidate !== id);
    const index = step === null ? null : Math.max(0, ids.indexOf(id) + step);
    onChange(index === null ? otherIds : [...otherIds.slice(0, index), id, ...otherIds.slice(index)]);
  };
  return (
    <fieldset id="tag-media" className="grid gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{t("content:values.media")}</legend>
      {media.length === 0 && <p className="text-sm text-muted">{t("content:tag.noMedia")}</p>}
      <ol className="grid ruled empty:hidden">
        {media.map((mediaItem, index) => {
          const title = inLanguage(mediaItem.title, language).text;
          const hiddenFile = getHiddenFile(mediaItem);
          const renderMoveButton = (
            direction: "up" | "down" | "out",
            icon: "chevron-up" | "chevron-down" | "close",
            disabled: boolean,
          ) => (
            <IconButton
              type="submit"
              name="media-move"
              value={`${mediaItem.id}~${direction}`}
              icon={icon}
              disabled={disabled}
              label={t(`content:tag.media.${direction}`, { title })}
              onClick={(event) => {
                if (!editor) return;
                event.preventDefault();
                move(mediaItem.id, direction === "out" ? null : direction === "up" ? -1 : 1);
              }}
            />
          );
          return (
            <li key={mediaItem.id} className="flex items-center gap-2 py-1">
              <input type="hidden" name="media" value={mediaItem.id} />
              <Icon name={MEDIA_ICONS[mediaItem.kind]} className="text-muted" />
              <span className="grid min-w-0 flex-1 text-sm wrap-anywhere">
                {title}
                {hiddenFile && (
                  <span className="text-xs text-phrase">
                    <HiddenMark {...hiddenFile} />
                  </span>
                )}
              </span>
              {renderMoveButton("up", "chevron-up", index === 0)}
              {renderMoveButton("down", "chevron-down", index === media.length - 1)}
              {renderMoveButton("out", "close", false)}
            </li>
          );
        })}
      </ol>
      <TrashNotice tagId={tagId} />
      <FieldErrorList error={errors?.map(message)} />
      {tagId ? (
        <Button
          type="submit"
          name="then"
          value="pick"
          icon="plus"
          className="w-fit"
          onClick={(event) => {
            if (!editor) return;
            event.preventDefault();
            editor.flush();
            navigate(listHref(searchParams, { tag: tagId, pick: "media" }), { preventScrollReset: true });
          }}
        >
          {t("content:tag.addMedia")}
        </Button>
      ) : (
        <p className="text-xs text-muted text-phrase">{t("content:tag.mediaLater")}</p>
      )}
    </fieldset>
  );
}
