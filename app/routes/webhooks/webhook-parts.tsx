import { CopyField } from "~/components/fields/copy-field";
import { Notice } from "~/components/status/notice";
import { StateMark } from "~/components/status/state-mark";
import { textIn } from "~/domain/shared/localized";
import type { Localized } from "~/domain/shared/model";
import type { WebhookTarget } from "~/domain/webhooks/webhook.schema";
import type { WebhookStatus } from "~/domain/webhooks/webhooks";
import { useTranslation } from "~/i18n/translation";

const STATE_MARKS = { active: "good", failing: "warning", paused: "off", stopped: "bad" } as const;

/** Status of a webhook. */
export function WebhookMark({ status }: { readonly status: WebhookStatus }) {
  const { t } = useTranslation();
  return <StateMark variant={STATE_MARKS[status]}>{t(`webhooks:status.${status}`)}</StateMark>;
}

/** A newly created secret, which must be copied now. */
export function SecretNotice({
  secret,
  oldSecretHint,
}: {
  readonly secret: string;
  /** Text that says until when the old secret is valid too; absent for a new webhook. */
  readonly oldSecretHint?: string;
}) {
  const { t } = useTranslation();
  return (
    <Notice tone="success" title={t("webhooks:secretTitle")} live>
      <p className="mb-3">{t("webhooks:secretText")}</p>
      <CopyField
        id="made-secret"
        label={t("webhooks:secretField")}
        value={secret}
        hint={oldSecretHint}
        wraps
      />
    </Notice>
  );
}

/** Returns a function that describes the target of a webhook: the events that it reports on. */
export function useDescribeTarget(): (target: WebhookTarget, name: string | Localized | null) => string {
  const { t, language } = useTranslation();
  return ({ kind }, name) => {
    if (kind === "all") return t("webhooks:all");
    return t(kind === "space" ? "webhooks:spaceNamed" : "webhooks:eventNamed", {
      name: textIn(name ?? "", language),
    });
  };
}
