import { Anchor } from "~/components/anchor";
import { Icon } from "~/components/icon";
import type { PartType } from "~/domain/content/content";
import { inLanguage } from "~/domain/shared/localized";
import type { Localized } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { panelHref } from "../editor/panels";
import { useArrivalFocus } from "../focus/use-arrival-focus";
import { DraftMark } from "../list/draft-mark";

export interface ItemHeadProps {
  readonly type: PartType;
  /** Null for an item that is still to be created. */
  readonly title: Localized | null;
  /** Visitors do not see the item. */
  readonly isDraft?: boolean;
  readonly backHref: string;
  /** Label of the back link if it leads neither to the list nor to the store's panel. */
  readonly backLabel?: string;
}

/** Head of a form in the panel: the link back to the list and the item's title. The title receives the focus when the form opens. */
export function ItemHead({ type, title, isDraft = false, backHref, backLabel }: ItemHeadProps) {
  const { t, language } = useTranslation();
  const heading = useArrivalFocus();
  const name = title
    ? inLanguage(title, language).text || t("content:untitled")
    : t(`content:${type}.newTitle`);
  return (
    <div className="max-sm:flex max-sm:items-center max-sm:gap-2">
      <Anchor
        href={backHref}
        keepScroll
        className="inline-flex min-h-10 items-center gap-2 text-sm text-muted max-sm:min-w-10 max-sm:justify-center max-sm:-ml-3 hover:underline"
      >
        <Icon name="arrow-left" size={16} />
        <span className="max-sm:sr-only">
          {backLabel ?? t(backHref === panelHref("store") ? "store:pick.back" : `content:backTo.${type}`)}
        </span>
      </Anchor>
      <h2 ref={heading} tabIndex={-1} className="text-lg leading-title font-semibold wrap-anywhere">
        {name}
        {isDraft && <DraftMark className="ml-2 align-middle" />}
      </h2>
    </div>
  );
}
