import { useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { LinkButton } from "~/components/button";
import { EmptyState } from "~/components/status/states";
import { toUuid } from "~/domain/shared/ids";
import type { TourStop, Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useTour } from "../../visitors/guides/use-tour";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";
import { useNewId } from "../editor/use-new-id";
import { useRestoreFocus } from "../focus/use-restore-focus";
import { StopEditor } from "./stop-editor";
import { type DeletedStop, findDeletedStops, stopHiddenReason } from "./tour-actions";
import { TourList } from "./tour-list";
import { TourPlayer } from "./tour-player";

export interface TourPanelProps {
  /** Id of a stop that is created. */
  readonly newId: Uuid;
  readonly outcome: ContentOutcome | null;
}

/** Panel of the guided tour: its stops, the form of one stop, and a player that shows the tour as visitors see it. */
export function TourPanel({ newId: initialNewId, outcome }: TourPanelProps) {
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const { editor, state, stage } = useEditorView();
  const { tags, scene } = state.content;
  const { tour } = scene;
  const requestedStop = searchParams.get("stop");
  const newId = useNewId(requestedStop === "new", initialNewId);
  const id = requestedStop === "new" ? newId : toUuid(requestedStop);
  const stop = tour.find((tourStop) => tourStop.id === id);
  const visibleStops = useMemo(
    () => tour.filter((tourStop) => stopHiddenReason(tourStop, tags) === null),
    [tour, tags],
  );
  const container = useRef<HTMLDivElement>(null);
  const lastStopId = useRef<Uuid | null>(null);
  useEffect(() => {
    if (id !== null) lastStopId.current = id;
  }, [id]);
  const player = useTour(visibleStops, stage, container);
  // Consecutive changes with the same key are undone together.
  const setTour = (newTour: readonly TourStop[], key?: string) =>
    editor?.run([{ op: "update_scene", values: { tour: newTour } }], key);
  const openStop = (stopId: Uuid) =>
    navigate(panelHref("tour", { stop: stopId }), { preventScrollReset: true });
  const currentStopId = player.stopIndex === null ? null : (visibleStops[player.stopIndex]?.id ?? null);
  const playFrom = (stopId: Uuid) => {
    const index = visibleStops.findIndex((tourStop) => tourStop.id === stopId);
    if (index !== -1) player.goToStop(index, true);
  };
  const [deletedStops, setDeletedStops] = useState<readonly DeletedStop[]>([]);
  const restorableStops = deletedStops.filter(
    (deletedStop) => !tour.some((tourStop) => tourStop.id === deletedStop.stop.id),
  );
  const onDelete = (ids: readonly Uuid[]) => setDeletedStops(findDeletedStops(tour, ids));
  const panelProps = {
    tour,
    setTour,
    openStop,
    currentStopId,
    playFrom: editor ? playFrom : null,
    outcome,
    restorableStops,
    onDelete,
  };
  const playerControls = visibleStops.length > 0 && (
    <div className="needs-script min-h-10 max-sm:min-h-11">
      {editor && <TourPlayer stops={visibleStops} tour={tour} player={player} />}
    </div>
  );
  return (
    <div ref={container} className="grid grid-cols-1 gap-6">
      {/* A stop has its own button that starts the player. */}
      {id !== null && player.stopIndex !== null && playerControls}
      {id === null ? (
        <TourList {...panelProps} returnTo={lastStopId.current} player={playerControls} />
      ) : stop || requestedStop === "new" || outcome?.scene ? (
        <StopEditor key={id} id={id} stop={stop} {...panelProps} />
      ) : (
        <MissingStop />
      )}
    </div>
  );
}

/** The stop of the URL does not exist: it was deleted here or by another editor. */
function MissingStop() {
  const { t } = useTranslation();
  const element = useRestoreFocus();
  return (
    <div ref={element} tabIndex={-1}>
      <EmptyState
        icon="trash"
        title={t("content:sceneEditor.tour.stopDeleted")}
        action={<LinkButton href={panelHref("tour")}>{t("content:sceneEditor.tour.back")}</LinkButton>}
      />
    </div>
  );
}
