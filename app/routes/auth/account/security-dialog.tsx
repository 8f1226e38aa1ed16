import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import { Dialog } from "~/components/dialog";
import type { Device } from "~/domain/auth/user-agent";
import { EmailChangeForm } from "~/forms/auth/email-change-form";
import { PasskeyForm } from "~/forms/auth/passkey-form";
import { PasswordChangeForm } from "~/forms/auth/password-change-form";
import { ConfirmForm } from "~/forms/shared/confirm-form";
import { useTranslation } from "~/i18n/translation";
import { PasskeyAdd } from "./passkey-add";
import { type PasskeyRow, useDeviceName } from "./security-lists";
import { SECURITY_PATH } from "./security-path";

export interface SecurityDialogProps {
  /** Name of the dialog in the page's query. */
  readonly dialog: string | null;
  /** Passkey in the page's query; undefined if the account does not have it. */
  readonly passkey: PasskeyRow | undefined;
  readonly email: string;
  readonly device: Device;
  /** The log-in is recent enough that no password is needed. */
  readonly isRecent: boolean;
  readonly lastResult?: SubmissionResult<string[]> | null;
}

/** Dialog that the query of the security page opens, if any. */
export function SecurityDialog({
  dialog,
  passkey,
  email,
  device,
  isRecent,
  lastResult,
}: SecurityDialogProps) {
  const { t } = useTranslation();
  const deviceName = useDeviceName();
  const busy = useNavigation().formMethod === "POST";
  const formProps = { lastResult, email, cancelHref: SECURITY_PATH };
  const dialogProps = { closeHref: SECURITY_PATH, size: "small" } as const;
  // The service may require the password although the page did not expect it.
  const requiresPassword = !isRecent || lastResult?.error?.currentPassword !== undefined;
  switch (dialog) {
    case "email":
      return (
        <Dialog {...dialogProps} title={t("account:email.title")}>
          <EmailChangeForm {...formProps} />
        </Dialog>
      );
    case "password":
      return (
        <Dialog {...dialogProps} title={t("account:password.title")}>
          <PasswordChangeForm {...formProps} />
        </Dialog>
      );
    case "passkey":
      return (
        <Dialog {...dialogProps} title={t("account:passkey.addTitle")}>
          <PasskeyAdd {...formProps} requiresPassword={requiresPassword} name={deviceName(device)} />
        </Dialog>
      );
    case "passkey-rename":
      return passkey ? (
        <Dialog {...dialogProps} title={t("account:passkey.renameTitle")}>
          <PasskeyForm
            {...formProps}
            name={passkey.name}
            values={{ intent: "passkey-rename", passkeyId: passkey.id }}
            requiresPassword={false}
            busy={busy}
            submit={t("account:save")}
          />
        </Dialog>
      ) : null;
    case "passkey-remove":
      return passkey ? (
        <Dialog {...dialogProps} title={t("account:passkey.removeTitle", { name: passkey.name })}>
          <ConfirmForm
            {...formProps}
            id="passkey-remove"
            intent="passkey-remove"
            values={{ passkeyId: passkey.id }}
            requiresPassword={requiresPassword}
            submit={t("account:passkey.remove")}
          >
            {t("account:passkey.removeText")}
          </ConfirmForm>
        </Dialog>
      ) : null;
    default:
      return null;
  }
}
