import { Dialog } from "~/components/dialog";
import { ConfirmForm } from "~/forms/shared/confirm-form";
import { useTranslation } from "~/i18n/translation";
import type { Reauthentication } from "../../auth/reauthentication.server";
import { ReauthenticationPrompt } from "../../auth/reauthentication-prompt";

/** Id of the dialog's form. */
export const RESET_FACTOR_FORM = "reset-factor";

export interface ResetFactorDialogProps {
  /** Name of the user whose second factor is reset. */
  readonly name: string;
  readonly closeHref: string;
  /** Data of the prompt for the administrator's password or passkey; null if none is required. */
  readonly reauthentication: Reauthentication | null;
}

/** Asks the administrator to confirm the reset of an account's second factor. */
export function ResetFactorDialog({ name, closeHref, reauthentication }: ResetFactorDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog closeHref={closeHref} size="small" title={t("users:user.resetFactorTitle", { name })}>
      {reauthentication && (
        <ReauthenticationPrompt form={RESET_FACTOR_FORM} reauthentication={reauthentication} />
      )}
      <ConfirmForm
        id={RESET_FACTOR_FORM}
        intent="reset-factor"
        email=""
        requiresPassword={false}
        cancelHref={closeHref}
        submit={t("users:user.resetFactor")}
      >
        {t("users:user.resetFactorText")}
      </ConfirmForm>
    </Dialog>
  );
}
