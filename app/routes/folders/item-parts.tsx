import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import type { CursorPagerProps } from "~/components/cursor-pager";
import { Icon } from "~/components/icon";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import type { TreeKind } from "~/domain/folders/tree";
import { type TreeDialogName, writeTreeRef } from "~/domain/folders/tree-list.schema";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { Namesake } from "./same-names";

/** Data of a list's item that its actions need. */
export interface ListedItem {
  readonly kind: TreeKind;
  readonly id: string;
  readonly name: string;
  readonly mayDelete: boolean;
  /** False or absent for items that cannot be copied: media, and folders of media. */
  readonly isCopyable?: boolean;
}

/** URL of a dialog about an item of a list. */
export function dialogHref(
  listParams: URLSearchParams,
  dialog: TreeDialogName,
  item: ListedItem,
  page = "",
): string {
  const params = new URLSearchParams(listParams);
  params.set("dialog", dialog);
  params.set("item", writeTreeRef(item));
  return `${page}?${params}`;
}

interface ItemProps {
  readonly item: ListedItem;
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** Path of the page with the dialogs, if it is another one. */
  readonly page?: string;
  /** Whether the page has a button that shares the item, so that the menu needs no entry for it. */
  readonly hasShareButton?: boolean;
  /** Entries of the menu above "Delete". */
  readonly children?: ReactNode;
}

/** Actions on an item: their labels, icons and URLs. `remove` is the destructive one. */
function useItemActions({ item, listParams, page, hasShareButton }: ItemProps) {
  const { t } = useTranslation();
  const copy = {
    icon: "copy",
    label: t("folders:copy"),
    href: dialogHref(listParams, "copy", item, page),
    opensDialog: true,
  } as const;
  const { pathname } = useLocation();
  const backQuery = new URLSearchParams({
    back: listParams.size > 0 ? `${pathname}?${listParams}` : pathname,
  });
  const share = `/sharing/${item.kind}/${item.id}?${backQuery}`;
  const actions = [
    ...(hasShareButton
      ? []
      : ([{ icon: "users", label: t("folders:share"), href: share, opensDialog: false }] as const)),
    {
      icon: "edit",
      label: t("folders:rename"),
      href: dialogHref(listParams, "rename", item, page),
      opensDialog: true,
    },
    {
      icon: "move-into",
      label: t("folders:move"),
      href: dialogHref(listParams, "move", item, page),
      opensDialog: true,
    },
    ...(item.isCopyable ? [copy] : []),
  ] as const;
  const remove = {
    icon: "trash",
    label: t("folders:delete"),
    href: dialogHref(listParams, "delete", item, page),
    opensDialog: true,
  } as const;
  return { actions, remove: item.mayDelete ? remove : null };
}

/** Menu with the actions on an item. */
export function ItemMenu(props: ItemProps) {
  const { t } = useTranslation();
  return (
    <Menu trigger={<Icon name="more" />} label={t("folders:actions", { name: props.item.name })}>
      <ItemMenuEntries {...props} />
    </Menu>
  );
}

/** Entries of a menu with the actions on an item. */
export function ItemMenuEntries(props: ItemProps) {
  const { actions, remove } = useItemActions(props);
  return (
    <>
      {actions.map(({ icon, label, href, opensDialog }) => (
        <MenuLink key={icon} icon={icon} href={href} keepScroll={opensDialog}>
          {label}
        </MenuLink>
      ))}
      {props.children}
      {remove && (
        <>
          <MenuDivider />
          <MenuLink icon={remove.icon} href={remove.href} keepScroll>
            {remove.label}
          </MenuLink>
        </>
      )}
    </>
  );
}

/** The actions of the menu as buttons, on the page of the item. */
export function ItemActions(props: ItemProps) {
  const { actions, remove } = useItemActions(props);
  return (
    <div className="-ml-3 flex flex-wrap gap-1">
      {[...actions, ...(remove ? [remove] : [])].map(({ icon, label, href, opensDialog }) => (
        <LinkButton key={icon} variant="quiet" icon={icon} href={href} keepScroll={opensDialog}>
          {label}
        </LinkButton>
      ))}
    </div>
  );
}

/** Checkbox that selects an item of a list. */
export function ItemTick({
  item,
  checked,
}: {
  readonly item: Omit<ListedItem, "mayDelete">;
  readonly checked: boolean;
}) {
  const { t } = useTranslation();
  return (
    <label className="flex size-10 max-sm:size-11 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        name="item"
        value={writeTreeRef(item)}
        aria-label={t("folders:select", { name: item.name })}
        defaultChecked={checked}
        className="tick shrink-0 rounded-sm"
      />
    </label>
  );
}

/** Text for a number of items in a list or in a folder. */
export const countText = (t: Translate, { count, hasMore }: NonNullable<CursorPagerProps["total"]>) =>
  t(hasMore ? "folders:itemsMore" : "folders:items", { count });

/** Badge of an item that is shared with a group. */
export function SharedMark() {
  const { t } = useTranslation();
  return (
    <span className="inline-flex items-center gap-1 align-middle">
      <Icon name="users" size={16} />
      {t("folders:shared")}
    </span>
  );
}

/** Data for an item's location, and for another item with the same name. */
export interface LocatedItem {
  /** Another folder or space with the same name in the same folder; absent in lists of several folders. */
  readonly sameNamed?: Namesake | null;
  /** Folder of an item in a list of several folders; null if the user may not see it. An empty label stands for the list's root. */
  readonly parentFolder?: { readonly label: string; readonly href: string } | null;
}

/** Link to the folder of an item. */
export function FolderLink({ item, rootLabel }: { readonly item: LocatedItem; readonly rootLabel: string }) {
  const { t } = useTranslation();
  const { parentFolder } = item;
  if (!parentFolder) return null;
  return (
    // The link is above the link of the card, which covers the whole card.
    <Anchor
      href={parentFolder.href}
      className="relative z-10 inline-flex min-h-10 w-fit items-center gap-1 wrap-anywhere hover:underline"
    >
      <Icon name="folder" size={16} />
      <span className="sr-only">{t("folders:inFolder")}</span>
      {parentFolder.label || rootLabel}
    </Anchor>
  );
}
