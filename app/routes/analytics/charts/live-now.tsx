import { useEffect, useState } from "react";
import { LinkButton } from "~/components/button";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/translation";
import { pollValue } from "./poll-value";

interface LiveNowProps {
  /** Path of the page of the report's event, space or account. */
  readonly scopePath: string;
  /** Number of visitors of the last minutes (LIVE_MINUTES) when the page was rendered. */
  readonly live: number;
  /** URL that loads the current page again: its query. */
  readonly pageHref: string;
}

/** Number of visitors of the last minutes: updated automatically with scripts, otherwise by a link. */
export function LiveNow({ scopePath, live, pageHref }: LiveNowProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [liveCount, setLiveCount] = useState<number | null>(null);
  useEffect(() => {
    setLiveCount(null);
    return pollValue({
      fetchValue: async () => {
        const response = await fetch(`${scopePath}/report/live`);
        const body: unknown = response.ok ? await response.json() : null;
        return body && typeof body === "object" && "live" in body ? Number(body.live) : null;
      },
      onValue: setLiveCount,
      isHidden: () => document.hidden,
      onVisibilityChange: (listener) => {
        document.addEventListener("visibilitychange", listener);
        return () => document.removeEventListener("visibilitychange", listener);
      },
    });
  }, [scopePath]);
  const count = liveCount ?? live;
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 text-sm print:hidden">
      <p className="inline-flex items-center gap-2">
        <span
          aria-hidden="true"
          className={`drawn size-2 rounded-full ${count > 0 ? "bg-success" : "bg-line"}`}
        />
        {t("analytics:live", { count })}
      </p>
      {!hydrated && (
        <LinkButton variant="quiet" icon="retry" href={pageHref}>
          {t("analytics:liveAgain")}
        </LinkButton>
      )}
    </div>
  );
}
