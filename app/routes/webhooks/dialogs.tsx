import type { SubmissionResult } from "@conform-to/react";
import { Dialog } from "~/components/dialog";
import { ConfirmForm } from "~/forms/shared/confirm-form";
import { WebhookForm, type WebhookFormProps } from "~/forms/webhooks/webhook-form";
import { useTranslation } from "~/i18n/translation";

export interface WebhookDialogProps extends Pick<WebhookFormProps, "values" | "spaces" | "events"> {
  /** Name of the dialog in the page's query. */
  readonly requestedDialog: string | null;
  readonly host: string;
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** URL of the page without a dialog. */
  readonly closeHref: string;
}

/** Dialog that the query of a webhook's page opens, if any. */
export function WebhookDialog({
  requestedDialog,
  host,
  lastResult,
  closeHref,
  ...formProps
}: WebhookDialogProps) {
  const { t } = useTranslation();
  const confirmProps = { lastResult, requiresPassword: false, email: "", cancelHref: closeHref } as const;
  switch (requestedDialog) {
    case "edit":
      return (
        <Dialog title={t("webhooks:editTitle")} closeHref={closeHref}>
          <WebhookForm
            {...formProps}
            lastResult={lastResult}
            submit={t("webhooks:save")}
            cancelHref={closeHref}
          />
        </Dialog>
      );
    case "secret":
      return (
        <Dialog title={t("webhooks:renewTitle")} closeHref={closeHref} size="small">
          <ConfirmForm
            {...confirmProps}
            id="webhook-secret"
            intent="renew"
            values={{ version: String(formProps.values.version) }}
            submit={t("webhooks:renewSubmit")}
          >
            {t("webhooks:renewText")}
          </ConfirmForm>
        </Dialog>
      );
    case "remove":
      return (
        <Dialog title={t("webhooks:removeTitle")} closeHref={closeHref} size="small">
          <ConfirmForm {...confirmProps} id="webhook-remove" intent="remove" submit={t("webhooks:remove")}>
            {t("webhooks:removeText", { host })}
          </ConfirmForm>
        </Dialog>
      );
    default:
      return null;
  }
}
