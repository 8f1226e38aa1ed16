import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import type { ViewerSource } from "./core/contract";
import type { StageState } from "./use-stage";

interface NoticesProps {
  readonly state: StageState;
  readonly source: ViewerSource;
  /** Name of the space or event. */
  readonly title: string;
  readonly hasPoster: boolean;
  /** Whether scripts have loaded, but the visitor has not started 3D yet. */
  readonly waiting: boolean;
  /** Message that a part of the space could not be loaded, or an empty string. */
  readonly notice: string;
  /** Whether the page lists the content of the space. */
  readonly listed: boolean;
  /** Title of the panorama node at which the visitor is. Null for other sources and nodes without a title. */
  readonly nodeTitle: string | null;
  onStart(): void;
  onRetry(): void;
}

/** Time in milliseconds after which a message explains that loading is slow. */
const SLOW_LOADING_MS = 6000;
/** Classes that position an element near the bottom of the stage, above the panel, which on phones covers the stage's lower edge. */
const BOTTOM_CLASSES = "absolute inset-x-4 bottom-4 max-lg:portrait:bottom-8";
const CARD_CLASSES = "mx-auto rounded-lg bg-glass px-4 py-3 text-sm text-glass-ink backdrop-blur";
const ACTION_CLASSES =
  "inline-flex min-h-10 items-center rounded bg-glass-ink/15 px-3 font-semibold text-glass-ink no-underline hover:bg-glass-ink/25 focus-visible:outline-glass-ink";

/** Messages that the stage shows before 3D, instead of 3D, and over it. */
export function ViewerNotices(props: NoticesProps) {
  const { state, source, notice, waiting } = props;
  const { t } = useTranslation();
  const addListHint = (problem: string) =>
    props.listed ? t("visitors:viewer.listed", { problem }) : problem;
  const slow = useSlow(state.phase === "loading");
  const name = source.kind === "showcase" ? source.title : props.title;
  const showcaseLink = source.kind === "showcase" && <ShowcaseLink url={source.src} />;
  const interrupted = state.phase === "ready" && state.interrupted;
  const announcement = interrupted
    ? addListHint(t("visitors:viewer.interrupted"))
    : state.phase === "ready"
      ? notice
      : "";
  return (
    <>
      {!props.hasPoster && state.phase !== "ready" && (
        <p
          aria-hidden="true"
          className="absolute inset-x-4 top-1/4 noscript:max-lg:portrait:top-4 text-center text-lg leading-title font-semibold text-glass-muted"
        >
          {name}
        </p>
      )}
      <noscript>
        <div className={`${BOTTOM_CLASSES} ${CARD_CLASSES} grid w-fit max-w-prose justify-items-start gap-3`}>
          <p>{addListHint(t("visitors:viewer.noScript"))}</p>
          {showcaseLink}
        </div>
      </noscript>
      {waiting && (
        <div className="absolute inset-0 grid place-items-center">
          <button
            type="button"
            className="min-h-12 rounded-full bg-glass px-6 text-base font-semibold text-glass-ink backdrop-blur hover:outline-2 hover:outline-glass-ink"
            onClick={props.onStart}
          >
            {t("visitors:viewer.start")}
          </button>
        </div>
      )}
      {state.phase === "loading" && (
        <div className={BOTTOM_CLASSES}>
          <div className={`${CARD_CLASSES} grid w-full max-w-88 gap-2`}>
            {source.kind === "showcase" && <p className="font-semibold">{name}</p>}
            <p aria-hidden="true" className="tabular-nums">
              {state.progress > 0
                ? t("visitors:viewer.progress", { percent: Math.round(state.progress * 100) })
                : t("visitors:viewer.loading")}
            </p>
            <progress
              aria-label={t("visitors:viewer.loading")}
              max={1}
              value={state.progress || undefined}
              className="h-1 w-full appearance-none overflow-hidden rounded-full bg-glass-ink/25 [&::-moz-progress-bar]:bg-glass-ink [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-glass-ink"
            />
            {slow && (
              <>
                <p aria-hidden="true">{addListHint(t("visitors:viewer.slow"))}</p>
                {showcaseLink && <p>{showcaseLink}</p>}
              </>
            )}
          </div>
        </div>
      )}
      <div
        role="status"
        className={
          state.phase === "failed" || announcement
            ? `${BOTTOM_CLASSES} ${CARD_CLASSES} flex w-fit max-w-prose flex-wrap items-center gap-x-3 gap-y-2`
            : "sr-only"
        }
      >
        {state.phase === "loading" &&
          (slow ? addListHint(t("visitors:viewer.slow")) : t("visitors:viewer.loading"))}
        {state.phase === "ready" &&
          (announcement ||
            (props.nodeTitle
              ? t("visitors:viewer.place", { title: props.nodeTitle })
              : t("visitors:viewer.ready")))}
        {state.phase === "failed" && (
          <>
            <p>
              {source.kind === "showcase" && <strong className="block font-semibold">{name}</strong>}
              {addListHint(t(`visitors:viewer.failed.${state.code}`))}
            </p>
            <button type="button" className={ACTION_CLASSES} onClick={props.onRetry}>
              {t("shared:shell.page.tryAgain")}
            </button>
            {showcaseLink}
          </>
        )}
      </div>
    </>
  );
}

/** Link to a showcase (a space that Matterport hosts) at its own site. */
function ShowcaseLink({ url }: { readonly url: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <a href={url} target="_blank" rel="noreferrer" className={ACTION_CLASSES}>
      {t("visitors:viewer.openElsewhere", { host: hostOf(url) })}
      <span className="sr-only"> ({t("shared:opensNewTab")})</span>
    </a>
  );
}

/** Returns the host of a URL for display, or the whole URL when it is invalid. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns true after a condition has lasted longer than SLOW_LOADING_MS. */
function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), SLOW_LOADING_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waiting]);
  return slow && waiting;
}
