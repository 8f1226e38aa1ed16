import { Dialog } from "~/components/dialog";
import { Notice } from "~/components/status/notice";
import { TREE_KINDS } from "~/domain/folders/tree";
import { TRASH_DAYS } from "~/domain/shared/limits";
import { textIn } from "~/domain/shared/localized";
import type { Localized } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { TreeDialogData } from "./dialog.server";
import { DialogFooter, ItemNames, ItemsForm } from "./dialog-parts";

type DeleteDialogData = Extract<TreeDialogData, { dialog: "delete" }>;

/** Dialog that lists the consequences of deleting items, and for how long they can be restored. */
export function DeleteDialog({
  dialog,
  closeHref,
}: {
  readonly dialog: DeleteDialogData;
  readonly closeHref: string;
}) {
  const { t } = useTranslation();
  const { items, contents, usedMedia, publicEvents, refs } = dialog;
  const count = items.length;
  const containedKinds = TREE_KINDS.filter((kind) => contents[kind] > 0);
  const closesLinks = contents.space > 0 || items.some(({ kind }) => kind === "space");
  return (
    <Dialog
      title={
        count === 1
          ? t("folders:deleteOf", { name: items[0]?.name ?? "" })
          : t("folders:deleteCount", { count })
      }
      closeHref={closeHref}
      size="small"
      footer={
        <DialogFooter
          isDestructive
          form="delete"
          submit={t("folders:deleteSubmit")}
          disabled={
            usedMedia !== null &&
            usedMedia.sourceCount === count &&
            items.every(({ kind }) => kind === "media")
          }
          closeHref={closeHref}
        />
      }
    >
      <ItemsForm id="delete" intent="delete" refs={refs}>
        <ItemNames items={items} />
        {containedKinds.length > 0 && (
          <Notice tone="warning" title={t("folders:heldTitle")}>
            {containedKinds
              .map((kind) => t(`folders:held.${kind}`, { count: contents[kind] }))
              .join(t("shared-owners:listSeparator"))}
          </Notice>
        )}
        {publicEvents && publicEvents.names.length > 0 && <PublicEvents {...publicEvents} />}
        {usedMedia && usedMedia.usedCount > 0 && (
          <UsedMedia usedMedia={usedMedia} isSingle={count === 1 && items[0]?.kind === "media"} />
        )}
        <p className="text-sm text-muted text-phrase">
          {t(closesLinks ? "folders:deleteText" : "folders:deleteFilesText", { days: TRASH_DAYS })}
        </p>
      </ItemsForm>
    </Dialog>
  );
}

/** Events that are public now: some of their names, and the number of the others. */
function PublicEvents({ names, unnamedCount }: NonNullable<DeleteDialogData["publicEvents"]>) {
  const { t } = useTranslation();
  return (
    <Notice tone="warning" title={t("folders:openNow", { count: names.length + unnamedCount })}>
      <NameList names={names} />
      {unnamedCount > 0 && <p>{t("folders:more", { count: unnamedCount })}</p>}
    </Notice>
  );
}

function NameList({ names }: { readonly names: readonly (string | Localized)[] }) {
  const { language } = useTranslation();
  return (
    <ul className="list-disc pl-5">
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of names, which may repeat
        <li key={index} className="wrap-anywhere">
          {textIn(name, language)}
        </li>
      ))}
    </ul>
  );
}

/**
 * Lists the events and spaces that use the media (`unnamedCount` is the number of further uses), and reports the media that cannot be deleted, because they
 * are the source of a space (`sourceCount`).
 */
function UsedMedia({
  usedMedia,
  isSingle,
}: {
  readonly usedMedia: NonNullable<DeleteDialogData["usedMedia"]>;
  readonly isSingle: boolean;
}) {
  const { t } = useTranslation();
  const { names, unnamedCount, sourceCount, usedCount } = usedMedia;
  return (
    <Notice tone="warning" title={isSingle ? t("folders:usedOne") : t("folders:used", { count: usedCount })}>
      <NameList names={names} />
      {unnamedCount > 0 && (
        <p>{t(names.length > 0 ? "folders:more" : "folders:usedElsewhere", { count: unnamedCount })}</p>
      )}
      {sourceCount < usedCount && <p className="mt-2">{t("folders:usedText")}</p>}
      {sourceCount > 0 && (
        <p className="mt-2">{t(isSingle ? "folders:sourceOne" : "folders:source", { count: sourceCount })}</p>
      )}
    </Notice>
  );
}
