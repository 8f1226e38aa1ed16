import type { ComponentPropsWithoutRef } from "react";
import { Anchor } from "~/components/anchor";
import { IconButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { inLanguage, missingLanguages } from "~/domain/shared/localized";
import type { TourStop, Uuid } from "~/domain/shared/model";
import { MissingMark } from "~/forms/shared/language-fields";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";
import { stopTitle } from "./stop-title";
import { lacksPosition, stopHiddenReason } from "./tour-actions";

export interface StopRowProps extends ComponentPropsWithoutRef<"li"> {
  readonly stop: TourStop;
  readonly index: number;
  /** Whether the player is at this stop. */
  readonly isCurrent: boolean;
  /** Plays the tour from a stop; null before the editor is ready. */
  readonly playFrom: ((id: Uuid) => void) | null;
  /** Moves the stop by one position; null before the editor is ready. */
  readonly onMove: ((direction: "up" | "down") => void) | null;
}

/**
 * One stop of the list: its checkbox, its number, the link to its form, and its badges.
 * With a mouse, elements with `data-reveal` are visible only while their row (`data-row`) is hovered or focused, or while a row of the list is selected.
 */
export function StopRow({ stop, index, isCurrent, playFrom, onMove, className, ...rowProps }: StopRowProps) {
  const { t, language } = useTranslation();
  const { state, canPlace } = useEditorView();
  const { tags } = state.content;
  const title = stopTitle(stop, index, tags, t, language);
  const tag = tags.find(({ id }) => id === stop.tagId);
  const hiddenReason = stopHiddenReason(stop, tags);
  const missingLangs = missingLanguages(stop.title, stop.text);
  return (
    <li
      aria-current={isCurrent ? "step" : undefined}
      data-row=""
      className={`relative flex items-center gap-3 px-2 py-1 hover:bg-ink/4 aria-[current]:bg-accent/6 ${className ?? ""}`}
      {...rowProps}
    >
      <span aria-hidden="true" className="w-5 shrink-0 text-right text-sm text-muted tabular-nums">
        {index + 1}
      </span>
      <div className="grid min-w-0 flex-1">
        <Anchor
          href={panelHref("tour", { stop: stop.id })}
          keepScroll
          className="flex min-h-10 items-center font-semibold text-ink wrap-anywhere hover:underline"
        >
          {title}
        </Anchor>
        <p className="-mt-1 flex flex-wrap gap-x-3 pb-1 text-xs text-muted">
          <span className="tabular-nums">
            {t("content:sceneEditor.tour.seconds", { count: Math.round(stop.seconds * 10) / 10 })}
          </span>
          {tag && inLanguage(tag.title, language).text !== title && (
            <span>
              {t("content:sceneEditor.tour.tagName", { title: inLanguage(tag.title, language).text })}
            </span>
          )}
          {stop.viewpoint && stop.tagId && <span>{t("content:sceneEditor.tour.ownView")}</span>}
          {hiddenReason && (
            <span className="inline-flex items-center gap-1 text-warning">
              <Icon name={hiddenReason === "gone" ? "warning" : "eye-off"} size={16} />
              {t(`content:sceneEditor.tour.${hiddenReason}`)}
            </span>
          )}
          {!hiddenReason && canPlace && lacksPosition(stop, tags) && (
            <span className="inline-flex items-center gap-1 text-warning">
              <Icon name="place" size={16} />
              {t("content:sceneEditor.tour.nowhere")}
            </span>
          )}
          {missingLangs.map((lang) => (
            <MissingMark key={lang} lang={lang} />
          ))}
        </p>
      </div>
      <div
        data-reveal=""
        className="flex shrink-0 items-center rounded bg-paper sm:[@media(hover:hover)]:absolute sm:[@media(hover:hover)]:right-2"
      >
        {onMove && (
          <span
            title={t("content:sceneEditor.tour.orderHint")}
            className="text-faint max-sm:hidden [@media(hover:none)]:hidden"
          >
            <Icon name="grip" />
          </span>
        )}
        {playFrom && !hiddenReason && (
          <IconButton
            icon="play"
            label={t("content:sceneEditor.tour.playFrom", { title })}
            onClick={() => playFrom(stop.id)}
          />
        )}
        {onMove && (
          <>
            <IconButton
              icon="chevron-up"
              label={t("content:sceneEditor.tour.up", { title })}
              onClick={() => onMove("up")}
              className="max-sm:hidden [@media(hover:none)]:hidden"
            />
            <IconButton
              icon="chevron-down"
              label={t("content:sceneEditor.tour.down", { title })}
              onClick={() => onMove("down")}
              className="max-sm:hidden [@media(hover:none)]:hidden"
            />
          </>
        )}
        <label className="flex size-10 max-sm:size-11 shrink-0 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            name="item"
            value={stop.id}
            aria-label={t("folders:select", { name: title })}
            className="tick shrink-0 rounded-sm"
          />
        </label>
      </div>
    </li>
  );
}
