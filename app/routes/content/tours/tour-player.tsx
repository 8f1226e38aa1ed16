import { Button, IconButton } from "~/components/button";
import type { TourStop } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { TourState } from "../../visitors/guides/use-tour";
import { useEditorView } from "../editor/editor-context";
import { stopTitle } from "./stop-title";

export interface TourPlayerProps {
  /** Stops that visitors see. */
  readonly stops: readonly TourStop[];
  /** All stops. */
  readonly tour: readonly TourStop[];
  readonly player: TourState;
}

/** Plays the tour in the editor's space as visitors see it. */
export function TourPlayer({ stops, tour, player }: TourPlayerProps) {
  const { t, language } = useTranslation();
  const { state } = useEditorView();
  const { stopIndex, isPlaying, hasEnded } = player;
  const stop = stopIndex === null ? undefined : stops[stopIndex];
  const title = stop && stopTitle(stop, tour.indexOf(stop), state.content.tags, t, language);
  const announcement =
    title && stopIndex !== null
      ? t("visitors-late:tourAt", { at: stopIndex + 1, of: stops.length, title })
      : "";
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-2">
      <Button
        icon={isPlaying ? "pause" : "play"}
        onClick={() =>
          isPlaying ? player.pause() : player.goToStop(stopIndex === null || hasEnded ? 0 : stopIndex, true)
        }
      >
        {isPlaying ? t("visitors-late:tourPause") : t("visitors-late:tourPlay")}
      </Button>
      {stopIndex !== null && (
        <>
          <IconButton
            icon="chevron-left"
            label={t("visitors-late:tourPrevious")}
            disabled={stopIndex === 0}
            onClick={() => player.goToStop(stopIndex - 1, isPlaying)}
          />
          <IconButton
            icon="chevron-right"
            label={t("visitors-late:tourNext")}
            disabled={stopIndex >= stops.length - 1}
            onClick={() => player.goToStop(stopIndex + 1, isPlaying)}
          />
        </>
      )}
      <p role="status" className="min-w-0 text-sm text-muted text-phrase empty:sr-only">
        {announcement}
        {announcement &&
          !isPlaying &&
          ` ${hasEnded ? t("visitors-late:tourEnded") : t("visitors-late:tourPaused")}`}
      </p>
    </div>
  );
}
