import type { StoreFailureCode } from "~/domain/store/store";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";

interface FailureAdviceProps {
  /** Code of the failure; `lost` if a connection test had no result. Null for a failure without a code, for which there is no advice. */
  readonly code: StoreFailureCode | "address" | "token" | "lost" | null;
  /** Message of the store client (specification §8); empty if there is none. */
  readonly message: string;
  /** Access scope that the token does not have. */
  readonly scope?: string | null;
}

/** Advice for the owner of an event after a failed request to the event's store, above the store client's message. */
export function FailureAdvice({ code, message, scope }: FailureAdviceProps) {
  const { t } = useTranslation();
  if (code === null) return null;
  const key: MessageKey = `store:failure.${code}`;
  return (
    <>
      <p>{t(key, { scope: scope ?? "" })}</p>
      {message !== "" && (
        <p className="mt-2 text-xs text-muted wrap-anywhere">
          {t("store:test.details")} <span lang="en">{message}</span>
        </p>
      )}
    </>
  );
}
