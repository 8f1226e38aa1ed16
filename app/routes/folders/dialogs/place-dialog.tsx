import { Dialog } from "~/components/dialog";
import { TreeChoice } from "~/components/fields/tree-choice";
import { Notice } from "~/components/status/notice";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { TreeDialogData } from "./dialog.server";
import { Fields, Footer, Names } from "./dialog-parts";

type Place = Extract<TreeDialogData, { dialog: "move" | "copy" }>;

/** Asks for the folder into which items are moved or copied. */
export function PlaceDialog({
  dialog,
  problem,
  closeHref,
  rootLabel,
}: {
  readonly dialog: Place;
  readonly problem: string | null;
  readonly closeHref: string;
  readonly rootLabel: string;
}) {
  const { t } = useTranslation();
  const message = useMessage();
  const { dialog: action, items, targets, refs } = dialog;
  const count = items.length;
  const needsAttention = targets.every(({ disabledReason }) => disabledReason !== null);
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
        <Footer
          form={action}
          submit={t(`folders:${action}Submit`)}
          disabled={needsAttention}
          closeHref={closeHref}
        />
      }
    >
      <Fields id={action} intent={action} refs={refs}>
        <Names items={items} />
        {needsAttention && <Notice>{t("folders:noTargets")}</Notice>}
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
      </Fields>
    </Dialog>
  );
}
