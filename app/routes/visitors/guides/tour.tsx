import { type RefObject, useEffect, useRef } from "react";
import { IconButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/translation";
import type { ViewerHandle } from "~/viewer/Viewer";
import { EntryLink } from "../list/entry-link";
import { LocalizedSpan, Prose } from "../media/media-item";
import type { Scene, SceneStop } from "../scene/scene-types";
import { useTour } from "./use-tour";

export interface TourProps {
  readonly scene: Scene;
  readonly stage: RefObject<ViewerHandle>;
  /** Query with only the parameters that open the page, such as the token. Links to entries on other pages of a long list contain it. */
  readonly pageQuery: string;
}

/**
 * The guided tour: a list of its stops, which can be read and followed without scripts; with scripts it can be played, paused and stepped through. It
 * pauses when the visitor moves in the space.
 */
export default function Tour({ scene, stage, pageQuery }: TourProps) {
  const { stops } = scene;
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const element = useRef<HTMLElement>(null);
  const playButton = useRef<HTMLButtonElement>(null);
  const tour = useTour(stops, stage, element);
  const { stopIndex, isPlaying } = tour;
  useEffect(() => {
    if (stopIndex === null) return;
    const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.current
      ?.querySelector("[aria-current=step]")
      ?.scrollIntoView({ block: "nearest", behavior: reducesMotion ? "auto" : "smooth" });
  }, [stopIndex]);
  const stop = stopIndex === null ? undefined : stops[stopIndex];
  const announcement =
    stopIndex !== null && stop
      ? t("visitors-late:tourAt", { at: stopIndex + 1, of: stops.length, title: stop.title.text })
      : "";
  return (
    <section ref={element} aria-labelledby="tour-title" className="grid gap-3">
      <h2 id="tour-title" className="flex items-baseline gap-2 text-base font-semibold">
        {t("visitors-late:tour")}{" "}
        <span className="text-sm font-normal text-muted tabular-nums">
          {t("visitors-late:tourStops", { count: stops.length })}
        </span>
      </h2>
      {/* The buttons are invisible until hydration but take up their space, so that the page does not move when they appear. */}
      <div
        data-tour-bar={stopIndex === null ? undefined : ""}
        className={`needs-script flex items-center gap-1 max-lg:portrait:data-tour-bar:fixed max-lg:portrait:data-tour-bar:inset-x-0 max-lg:portrait:data-tour-bar:bottom-0 max-lg:portrait:data-tour-bar:z-20 max-lg:portrait:data-tour-bar:border-t max-lg:portrait:data-tour-bar:border-line max-lg:portrait:data-tour-bar:bg-raised max-lg:portrait:data-tour-bar:px-3 max-lg:portrait:data-tour-bar:py-2 ${hydrated ? "" : "invisible"}`}
      >
        <IconButton
          icon="chevron-left"
          label={t("visitors-late:tourPrevious")}
          disabled={stopIndex === null || stopIndex === 0}
          onClick={() => tour.goToStop((stopIndex ?? 0) - 1, isPlaying)}
        />
        <button
          ref={playButton}
          type="button"
          onClick={() =>
            isPlaying
              ? tour.pause()
              : tour.goToStop(stopIndex === null || tour.hasEnded ? 0 : stopIndex, true)
          }
          className="inline-flex min-h-10 items-center gap-2 rounded bg-accent px-4 text-sm font-semibold text-accent-ink hover:bg-accent-strong"
        >
          <Icon name={isPlaying ? "pause" : "play"} size={16} />
          <span className={stopIndex === null ? undefined : "max-lg:portrait:sr-only"}>
            {isPlaying ? t("visitors-late:tourPause") : t("visitors-late:tourPlay")}
          </span>
        </button>
        <IconButton
          icon="chevron-right"
          label={t("visitors-late:tourNext")}
          disabled={stopIndex !== null && stopIndex >= stops.length - 1}
          onClick={() => tour.goToStop(stopIndex === null ? 0 : stopIndex + 1, isPlaying)}
        />
        {stopIndex !== null && stop && (
          <>
            <span
              aria-hidden="true"
              className="hidden min-w-0 flex-1 truncate px-2 text-sm max-lg:portrait:block"
            >
              {tour.hasEnded ? (
                t("visitors-late:tourEnded")
              ) : (
                <>
                  <span className="text-muted tabular-nums">
                    {stopIndex + 1}/{stops.length}
                  </span>{" "}
                  {stop.title.text}
                </>
              )}
            </span>
            <IconButton
              icon="close"
              label={t("visitors-late:tourClose")}
              onClick={() => {
                tour.exit();
                playButton.current?.focus();
              }}
              className="hidden! max-lg:portrait:inline-flex!"
            />
          </>
        )}
      </div>
      {/* On upright phones the fixed bar shows the current stop instead. */}
      <p
        role="status"
        className={`needs-script text-sm text-muted ${stopIndex === null ? "" : "max-lg:portrait:sr-only"}`}
      >
        {announcement}
        {/* While the tour plays, screen readers also announce the text of each stop. */}
        {announcement && isPlaying && stop && <span className="sr-only"> {stop.text.text}</span>}
        {announcement &&
          !isPlaying &&
          ` ${tour.hasEnded ? t("visitors-late:tourEnded") : t("visitors-late:tourPaused")}`}
      </p>
      <ol className="grid gap-1 border-l-2 border-line pl-4">
        {stops.map((listedStop, index) => (
          <li
            key={listedStop.id}
            id={`stop-${listedStop.id}`}
            aria-current={index === stopIndex ? "step" : undefined}
            className="tour-stop"
          >
            <StopTitle
              stop={listedStop}
              number={index + 1}
              onGo={hydrated ? () => tour.goToStop(index, false) : null}
            />
            {/* Without scripts every text is visible; with scripts only that of the current stop. */}
            <div
              hidden={hydrated && index !== stopIndex}
              className={`grid gap-1 pb-3 text-sm ${hydrated ? "" : "without-script"}`}
            >
              <Prose value={listedStop.text} />
              {listedStop.tagId && (
                <EntryLink
                  id={listedStop.tagId}
                  scene={scene}
                  pageQuery={pageQuery}
                  aria-label={`${t("visitors-late:stopTag")} ${listedStop.title.text}`}
                  className="text-link w-fit"
                >
                  <Icon name="place" size={16} />
                  {t("visitors-late:stopTag")}
                </EntryLink>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function StopTitle({
  stop,
  number,
  onGo,
}: {
  readonly stop: SceneStop;
  readonly number: number;
  readonly onGo: (() => void) | null;
}) {
  const { t } = useTranslation();
  const title =
    stop.title.text === "" ? (
      t("visitors-late:stopNumber", { at: number })
    ) : (
      <LocalizedSpan value={stop.title} />
    );
  const className = "tour-stop-title";
  return onGo ? (
    <button
      type="button"
      onClick={onGo}
      title={t("visitors-late:stopGo")}
      className={`${className} rounded hover:bg-surface`}
    >
      {title}
    </button>
  ) : (
    <p className={className}>{title}</p>
  );
}
