import { createContext, useContext } from "react";
import { useTranslation } from "~/i18n/translation";
import type { ReadAt } from "./store-result";
import { AGE_SHOWN_MS, useElapsed } from "./use-elapsed";

/** The time at which the data of the components inside the provider was read; null if it is not known. */
export const ReadAtContext = createContext<ReadAt | null>(null);

const MINUTE_MS = 60_000;
/**
 * Shows the age of prices and stock when it is more than a minute.
 * @param respondedAt time of the store's response in epoch milliseconds; of several responses the earliest
 */
export function Age({ respondedAt }: { readonly respondedAt: number }) {
  const { t } = useTranslation();
  const readAt = useContext(ReadAtContext);
  const elapsedMs = useElapsed(readAt);
  if (!readAt) return null;
  const ageMs = Math.max(readAt.at - respondedAt, 0) + (elapsedMs ?? 0);
  if (ageMs > AGE_SHOWN_MS)
    return (
      <span className="block text-xs text-muted">
        {t("store-visitors:age", { count: Math.floor(ageMs / MINUTE_MS) })}
      </span>
    );
  // Without scripts the displayed age does not increase, so a cached page shows the largest age that it can reach.
  const largestAgeMs = ageMs + readAt.cachedForMs;
  if (elapsedMs !== null || largestAgeMs <= AGE_SHOWN_MS) return null;
  return (
    <span className="without-script block text-xs text-muted">
      {t("store-visitors:ageUpTo", { count: Math.ceil(largestAgeMs / MINUTE_MS) })}
    </span>
  );
}

/** Shows the age of the oldest data in a list. */
export function OldestAge({ items }: { readonly items: readonly { readonly respondedAt: number }[] }) {
  if (items.length === 0) return null;
  return <Age respondedAt={Math.min(...items.map(({ respondedAt }) => respondedAt))} />;
}
