import { Dialog } from "~/components/dialog";
import { TreeChoice } from "~/components/fields/tree-choice";
import { Notice } from "~/components/status/notice";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { TreeDialogData } from "./dialog.server";
import { DialogFooter, ItemNames, ItemsForm } from "./dialog-parts";

type TargetFolderDialogData = Extract<TreeDialogData, { dialog: "move" | "copy" }>;

/** Asks for the folder into which items are moved or copied. */
export function TargetFolderDialog({
  dialog,
  problem,
  closeHref,
  rootLabel,
}: {
  readonly dialog: TargetFolderDialogData;
  readonly problem: string | null;
  readonly closeHref: string;
  readonly rootLabel: string;
}) {
  const { t } = useTranslation();
  const message = useMessage();
  const { dialog: action, items, targets, refs } = dialog;
  const count = items.length;
  const hasNoTargets = targets.every(({ disabledReason }) => disabledReason !== null);
  return (
    <Dialog
      title={
        count === 1
          ? t(`folders:${action}Of`, { name: items[0]?.name ?? "" })
          : t(`folders:${action}Count`, { count })
      }
      closeHref={closeHref}
      size="small"
      footer={
        <DialogFooter
          form={action}
          submit={t(`folders:${action}Submit`)}
          disabled={hasNoTargets}
          closeHref={closeHref}
        />
      }
    >
      <ItemsForm id={action} intent={action} refs={refs}>
        <ItemNames items={items} />
        {hasNoTargets && <Notice>{t("folders:noTargets")}</Notice>}
        {action === "copy" && <p className="text-sm text-muted text-phrase">{t("folders:copyText")}</p>}
        <TreeChoice
          name="folderId"
          label={t(`folders:${action}To`)}
          error={problem && message(problem)}
          required
          placeholder={t("folders:placeholder")}
          options={targets.map(({ id, name, depth, disabledReason }) => ({
            value: id,
            label: name || rootLabel,
            depth,
            disabledReason: disabledReason && t(`folders:barred.${disabledReason}`),
          }))}
        />
      </ItemsForm>
    </Dialog>
  );
}
