import { memo } from "react";
import { Anchor } from "~/components/anchor";
import { IconButton } from "~/components/button";
import { cx } from "~/components/cx";
import { Icon } from "~/components/icon";
import type { PartType } from "~/domain/content/content";
import { inLanguage } from "~/domain/shared/localized";
import type { EventMedia, EventTag } from "~/domain/shared/model";
import { MissingMark } from "~/forms/shared/language-fields";
import { useTranslation } from "~/i18n/translation";
import type { AccessibleList } from "~/viewer/Viewer";
import { hiddenMark } from "../../library/list/hidden-notice";
import { LocalizedSpan, TagSign } from "../../visitors/media/media-item";
import type { HiddenFile, Placing } from "../editor/editor-context";
import { listHref } from "../editor/panels";
import { DraftMark } from "./draft-mark";
import { isUnplaced, listMissingLanguages } from "./list-filter";
import { MediaItemIcon } from "./media-item-icon";
import { draggableRow } from "./use-drag-order";

export interface ItemRowProps {
  readonly item: EventTag | EventMedia;
  readonly type: PartType;
  /** Query of the list. */
  readonly searchParams: URLSearchParams;
  /** Returns the props that connect a row with its pin in the space: the row's id and focus events. */
  readonly entry: AccessibleList["entry"];
  /** The list is so long that rows outside of the viewport are not rendered by the browser. */
  readonly isInLongList: boolean;
  readonly isDraggable: boolean;
  /** The reason why visitors do not see the item's file; null for files that they see, and for tags. */
  readonly hidden: HiddenFile | null;
  /** Text about the tags that show the item; null if no tag does, and for tags. */
  readonly usedIn: string | null;
  /** The item is far away from most others, probably outside of the space. */
  readonly isFarAway: boolean;
  /** The item is selected initially, for example a copy that was just created. */
  readonly isSelected: boolean;
  /** Starts or ends placing by pointing; null while the space cannot return positions, and without scripts. */
  readonly onPlacing: ((placing: Placing | null) => void) | null;
  /** The user is choosing the item's position in the space. */
  readonly isPlacing: boolean;
}

/** Id of the form that the rows' own buttons submit. */
export const ROW_FORM_ID = "row-actions";

const LAZY_RENDERING = "[content-visibility:auto] [contain-intrinsic-size:auto_3rem]";

/**
 * One tag or media item of the list: its checkbox, its icon, the link to its form, and its badges. It is memoized because the list can have
 * hundreds of rows and a search field above it. With a mouse, elements with `data-reveal` are visible only while their row (`data-row`) is hovered or
 * focused, or while a row of the list is selected.
 */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, type, searchParams, entry, isInLongList, isDraggable, hidden } = props;
  const { usedIn, isFarAway, isSelected, onPlacing, isPlacing } = props;
  const { t, language } = useTranslation();
  const title = inLanguage(item.title, language);
  const missingLangs = listMissingLanguages(item);
  const marks = [
    usedIn !== null && ([<Icon key="u" name="place" size={16} />, usedIn] as const),
    isUnplaced(item) &&
      usedIn === null &&
      ([<Icon key="i" name="place" size={16} />, t(`content:unplaced.${type}`)] as const),
    isFarAway && ([<Icon key="f" name="warning" size={16} />, t("content:farMark")] as const),
    hidden &&
      ([<Icon key="h" name="warning" size={16} />, hiddenMark(hidden.reason, hidden.name, t)] as const),
  ];
  const { id, ...entryProps } = entry(item.id);
  const dragProps = isDraggable ? draggableRow(item.id) : null;
  const formHref = listHref(searchParams, type === "tag" ? { tag: item.id } : { medium: item.id });
  return (
    <li
      id={id}
      data-row=""
      {...entryProps}
      {...dragProps}
      className={`flex items-center gap-3 px-2 py-1 hover:bg-ink/4 ${isInLongList ? LAZY_RENDERING : ""} ${dragProps?.className ?? ""}`}
    >
      <span
        className={cx(
          "shrink-0 rounded-full",
          item.hidden && "opacity-75 outline-2 outline-offset-2 outline-edge outline-dashed",
        )}
      >
        {"color" in item ? <TagSign color={item.color} icon={item.icon} /> : <MediaItemIcon item={item} />}
      </span>
      <div className="grid min-w-0 flex-1">
        <Anchor
          href={formHref}
          keepScroll
          className="flex min-h-10 items-center font-semibold text-ink wrap-anywhere hover:underline"
        >
          {title.text ? <LocalizedSpan value={title} /> : t("content:untitled")}
        </Anchor>
        {(item.hidden || missingLangs.length > 0 || isUnplaced(item) || marks.some(Boolean)) && (
          <p className="flex flex-wrap gap-x-3 pb-1 text-xs text-muted">
            {item.hidden && <DraftMark />}
            {marks.map(
              (mark) =>
                mark && (
                  <span key={mark[1]} className="inline-flex items-center gap-1">
                    {mark}
                  </span>
                ),
            )}
            {missingLangs.map((lang) => (
              <MissingMark key={lang} lang={lang} />
            ))}
            {isUnplaced(item) && (
              <span data-reveal={isPlacing || usedIn === null ? undefined : ""}>
                <PlaceButton
                  type={type}
                  name={title.text || t("content:untitled")}
                  // Without pointing, the position is typed into the item's form.
                  fallbackHref={`${formHref}#${type === "tag" ? "tag" : "medium"}-position.x`}
                  isPlacing={isPlacing}
                  onPress={onPlacing && (() => onPlacing(isPlacing ? null : { type, id: item.id }))}
                />
              </span>
            )}
          </p>
        )}
      </div>
      {isDraggable && (
        <span
          data-reveal=""
          title={t("content:dragToMove")}
          className="-mr-2 text-faint [@media(hover:none)]:hidden"
        >
          <Icon name="grip" />
        </span>
      )}
      <IconButton
        type="submit"
        form={ROW_FORM_ID}
        name="do"
        value={`delete~${item.id}`}
        icon="trash"
        label={t("content:actions.deleteNamed", { name: title.text || t("content:untitled") })}
        data-reveal=""
        className="-mx-2 [@media(hover:none)]:hidden"
      />
      <label
        data-reveal=""
        className="flex size-10 max-sm:size-11 shrink-0 cursor-pointer items-center justify-center"
      >
        <input
          type="checkbox"
          name="item"
          value={item.id}
          defaultChecked={isSelected}
          aria-label={t("folders:select", { name: title.text || t("content:untitled") })}
          className="tick shrink-0 rounded-sm"
        />
      </label>
    </li>
  );
});

/** Button of a row that lets the user choose the item's position in the space, or a link to the fields for it. */
function PlaceButton({
  type,
  name,
  fallbackHref,
  isPlacing,
  onPress,
}: {
  readonly type: PartType;
  readonly name: string;
  readonly fallbackHref: string;
  readonly isPlacing: boolean;
  readonly onPress: (() => void) | null;
}) {
  const { t } = useTranslation();
  const sharedProps = {
    className: "inline-flex min-h-6 items-center text-accent underline",
    "aria-label": t(`content:place.named.${type}`, { name }),
  };
  const text = t(`content:place.point.${type}`);
  if (!onPress)
    return (
      <Anchor {...sharedProps} href={fallbackHref}>
        {text}
      </Anchor>
    );
  return (
    <button {...sharedProps} type="button" aria-pressed={isPlacing} onClick={onPress}>
      {text}
    </button>
  );
}
