import { type FormEvent, type ReactNode, useState } from "react";
import { Notice } from "~/components/notice";
import { useTranslation } from "~/i18n/use-translation";

/**
 * Keeps a form on its page while there is no connection: sent, it would be replaced by a page that says so, and what was typed
 * would be gone. Answers what is done instead of sending it, and what is said then.
 */
export function useOfflineStop(
  onSubmit: (event: FormEvent<HTMLFormElement>) => void,
): readonly [onSubmit: (event: FormEvent<HTMLFormElement>) => void, said: ReactNode] {
  const { t } = useTranslation();
  const [stopped, setStopped] = useState(false);
  const guarded = (event: FormEvent<HTMLFormElement>) => {
    const isOffline = navigator.onLine === false;
    setStopped(isOffline);
    if (isOffline) event.preventDefault();
    else onSubmit(event);
  };
  return [guarded, stopped && <Notice key="offline" tone="warning" title={t("kit.lost.notSent")} live />];
}
