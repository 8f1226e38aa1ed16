import { useEffect, useState } from "react";
import { LinkButton } from "~/components/button";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/use-translation";

const EVERY_MS = 30_000;

interface LiveNowProps {
  /** The page of the report, without its period. */
  readonly here: string;
  readonly live: number;
  /** The query of the page as it is. */
  readonly again: string;
}

/** How many visitors are there now: counted anew by itself where scripts run, otherwise by a link. */
export function LiveNow({ here, live, again }: LiveNowProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [heard, setHeard] = useState<number | null>(null);
  useEffect(() => {
    setHeard(null);
    const timer = setInterval(async () => {
      if (document.hidden) return;
      try {
        const answer = await fetch(`${here}/report/live`);
        const told: unknown = answer.ok ? await answer.json() : null;
        if (told && typeof told === "object" && "live" in told) setHeard(Number(told.live));
      } catch {
        // Half a minute later it is asked again.
      }
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [here]);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 text-sm">
      <p className="inline-flex items-center gap-2">
        <span aria-hidden="true" className="size-2 rounded-full bg-success" />
        {t("report.live", { count: heard ?? live })}
      </p>
      {!hydrated && (
        <LinkButton variant="quiet" icon="retry" href={again}>
          {t("report.liveAgain")}
        </LinkButton>
      )}
    </div>
  );
}
