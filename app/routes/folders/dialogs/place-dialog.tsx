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
  const { dialog: act, items, targets, refs } = dialog;
  const count = items.length;
  const needsAttention = targets.every(({ disabledReason }) => disabledReason !== null);
  return (
    <Dialog
      title={
        count === 1
          ? t(`folders:${act}Of`, { name: items[0]?.name ?? "" })
          : t(`folders:${act}Count`, { count })
      }
      closeHref={closeHref}
      size="small"
      footer={
        <Footer
          form={act}
          submit={t(`folders:${act}Submit`)}
          disabled={needsAttention}
          closeHref={closeHref}
        />
      }
    >
      <Fields id={act} intent={act} refs={refs}>
        <Names items={items} />
        {needsAttention && <Notice>{t("folders:noTargets")}</Notice>}
        {act === "copy" && <p className="text-sm text-muted text-phrase">{t("folders:copyText")}</p>}
        <TreeChoice
          name="folderId"
          label={t(`folders:${act}To`)}
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
