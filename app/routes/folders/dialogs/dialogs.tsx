import { ButtonRow, LinkButton } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { NameForm } from "~/forms/shared/name-form";
import { useTranslation } from "~/i18n/translation";
import type { TreeOutcome } from "../action.server";
import { DeleteDialog } from "./delete-dialog";
import type { TreeDialogData } from "./dialog.server";
import { TargetFolderDialog } from "./target-folder-dialog";

export interface TreeDialogsProps {
  /** Data of the dialog that the URL opens. */
  readonly dialog: TreeDialogData | null;
  /** Result of the form, if it was submitted. */
  readonly outcome: TreeOutcome | null;
  /** URL of the page without a dialog. */
  readonly closeHref: string;
  /** Name of the root folder. */
  readonly rootLabel: string;
}

/** Dialog that TreeDialogs loads and shows. */
export default function TreeDialog({ dialog, outcome, closeHref, rootLabel }: TreeDialogsProps) {
  const { t } = useTranslation();
  if (outcome && outcome.results.length > 0) return null;
  if (dialog?.dialog === "new-folder" || (outcome?.action === "new-folder" && outcome.lastResult))
    return (
      <Dialog title={t("folders:newFolder")} closeHref={closeHref} size="small">
        <NameForm lastResult={outcome?.lastResult} item={null} cancelHref={closeHref} />
      </Dialog>
    );
  const [firstItem] = dialog && "items" in dialog ? dialog.items : [];
  if (dialog?.dialog === "rename" || outcome?.item) {
    const item =
      outcome?.item ?? (firstItem && { ...firstItem, version: String(firstItem.version), isConflict: false });
    if (item)
      return (
        <Dialog
          title={t("folders:renameOf", { name: firstItem?.name ?? item.name })}
          closeHref={closeHref}
          size="small"
        >
          <NameForm
            key={`${item.kind} ${item.id}`}
            lastResult={outcome?.lastResult}
            item={item}
            cancelHref={closeHref}
          />
        </Dialog>
      );
  }
  if (!dialog || !("items" in dialog)) return null;
  if (!firstItem) return <NoItemsDialog isNothingChosen={dialog.isNothingChosen} closeHref={closeHref} />;
  if (dialog.dialog === "move" || dialog.dialog === "copy")
    return (
      <TargetFolderDialog
        dialog={dialog}
        problem={outcome?.action === dialog.dialog ? outcome.problem : null}
        closeHref={closeHref}
        rootLabel={rootLabel}
      />
    );
  return dialog.dialog === "delete" ? <DeleteDialog dialog={dialog} closeHref={closeHref} /> : null;
}

function NoItemsDialog({
  isNothingChosen,
  closeHref,
}: {
  readonly isNothingChosen: boolean;
  readonly closeHref: string;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={isNothingChosen ? t("folders:withChosen") : t("folders:gone")}
      closeHref={closeHref}
      size="small"
    >
      <p className="text-muted text-phrase">
        {isNothingChosen ? t("folders:nothingChosen") : t("folders:goneText")}
      </p>
      <ButtonRow className="mt-6">
        <LinkButton href={closeHref} keepScroll>
          {t("folders:close")}
        </LinkButton>
      </ButtonRow>
    </Dialog>
  );
}
