import { useEffect, useState } from "react";
import { LinkButton } from "~/components/button";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/translation";
import { watch } from "./watch";

interface LiveNowProps {
  /** Address of the report without its period. */
  readonly here: string;
  readonly live: number;
  /** Query of the current page. */
  readonly again: string;
}

/** Current number of visitors: updated automatically with scripts, otherwise by a link. */
export function LiveNow({ here, live, again }: LiveNowProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [heard, setHeard] = useState<number | null>(null);
  useEffect(() => {
    setHeard(null);
    return watch({
      ask: async () => {
        const answer = await fetch(`${here}/report/live`);
        const body: unknown = answer.ok ? await answer.json() : null;
        return body && typeof body === "object" && "live" in body ? Number(body.live) : null;
      },
      heard: setHeard,
      isHidden: () => document.hidden,
      onTurn: (turned) => {
        document.addEventListener("visibilitychange", turned);
        return () => document.removeEventListener("visibilitychange", turned);
      },
    });
  }, [here]);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 text-sm print:hidden">
      <p className="inline-flex items-center gap-2">
        <span aria-hidden="true" className="drawn size-2 rounded-full bg-success" />
        {t("analytics:live", { count: heard ?? live })}
      </p>
      {!hydrated && (
        <LinkButton variant="quiet" icon="retry" href={again}>
          {t("analytics:liveAgain")}
        </LinkButton>
      )}
    </div>
  );
}
