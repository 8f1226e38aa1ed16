import { Icon } from "~/components/icon";
import { Menu, MenuDivider, MenuLink } from "~/components/menu";
import type { TreeKind } from "~/domain/tree";
import { type TreeDialog, writeTreeRef } from "~/domain/tree-list.schema";
import { useTranslation } from "~/i18n/use-translation";

/** One thing of a list, as far as what can be done to it goes. */
export interface ListedItem {
  readonly kind: TreeKind;
  readonly id: string;
  readonly name: string;
  readonly mayDelete: boolean;
}

/** The address of a dialog about one thing of a list. */
export function dialogHref(list: URLSearchParams, dialog: TreeDialog, item: ListedItem): string {
  const params = new URLSearchParams(list);
  params.set("dialog", dialog);
  params.set("item", writeTreeRef(item));
  return `?${params}`;
}

/** What can be done to one thing of a list. `list` is the list's own address. */
export function ItemMenu({ item, list }: { readonly item: ListedItem; readonly list: URLSearchParams }) {
  const { t } = useTranslation();
  return (
    <Menu trigger={<Icon name="more" />} label={t("tree.actions", { name: item.name })}>
      <MenuLink icon="edit" href={dialogHref(list, "rename", item)} keepScroll>
        {t("tree.rename")}
      </MenuLink>
      <MenuLink icon="move-into" href={dialogHref(list, "move", item)} keepScroll>
        {t("tree.move")}
      </MenuLink>
      <MenuLink icon="users" href={`/sharing/${item.kind}/${item.id}`}>
        {t("tree.share")}
      </MenuLink>
      {item.mayDelete && (
        <>
          <MenuDivider />
          <MenuLink icon="trash" href={dialogHref(list, "delete", item)} keepScroll>
            {t("tree.delete")}
          </MenuLink>
        </>
      )}
    </Menu>
  );
}

/** The tick that chooses one thing of a list. */
export function ItemTick({
  item,
  checked,
}: {
  readonly item: Omit<ListedItem, "mayDelete">;
  readonly checked: boolean;
}) {
  const { t } = useTranslation();
  return (
    <label className="flex size-10 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        name="item"
        value={writeTreeRef(item)}
        aria-label={t("tree.select", { name: item.name })}
        defaultChecked={checked}
        className="tick shrink-0 rounded-sm"
      />
    </label>
  );
}

/** Says of a thing that a group shares it. */
export function SharedMark() {
  const { t } = useTranslation();
  return (
    <span className="inline-flex items-center gap-1 align-middle">
      <Icon name="users" size={16} />
      {t("tree.shared")}
    </span>
  );
}
