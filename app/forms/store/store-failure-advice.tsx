import type { StoreFailureCode } from "~/domain/store/store";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";

interface FailureAdviceProps {
  /** Null for a failure without a code, which has no advice. */
  readonly code: StoreFailureCode | "address" | "token" | "lost" | null;
  /** The store client's own message (§8); empty if there is none. */
  readonly message: string;
  /** The access scope that the token lacks. */
  readonly scope?: string | null;
}

/** Advice for the owner of a store that failed, with the store client's message below it. */
export function FailureAdvice({ code, message, scope }: FailureAdviceProps) {
  const { t } = useTranslation();
  if (code === null) return null;
  const key: MessageKey = `store:failure.${code}`;
  return (
    <>
      <p>{t(key, { scope: scope ?? "" })}</p>
      {message !== "" && (
        <p className="mt-2 text-xs text-muted [overflow-wrap:anywhere]">
          {t("store:test.details")} <span lang="en">{message}</span>
        </p>
      )}
    </>
  );
}
