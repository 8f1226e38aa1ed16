import { Form, useLocation, useSearchParams } from "@remix-run/react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Notice } from "~/components/status/notice";
import { EmptyState } from "~/components/status/states";
import { toUuid } from "~/domain/shared/ids";
import { TOUR_STOPS_MAX } from "~/domain/shared/limits";
import type { TourStop, Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { SelectionBar } from "../../folders/selection";
import { useEditorView } from "../editor/editor-context";
import { ActionButton } from "../list/action-button";
import { draggableRow, useDragOrder } from "../list/use-drag-order";
import { AddStop } from "./add-stop";
import { StopRow } from "./stop-row";
import { stopTitle } from "./stop-title";
import { applyTourAction, moveStops, restoreStops, TOUR_ACTIONS } from "./tour-actions";
import type { TourPartProps } from "./tour-props";
import { TourRestore } from "./tour-restore";

const newId = () => crypto.randomUUID();

export interface TourListProps extends TourPartProps {
  readonly returnTo: Uuid | null;
  /** The player, beside the heading. */
  readonly player: ReactNode;
}

/** The stops in their order, with actions on several of them. */
export function TourList(props: TourListProps) {
  const { tour, setTour, openStop, currentStopId, playFrom, restorableStops, onDelete, returnTo, player } =
    props;
  const { t, language } = useTranslation();
  const { editor, state } = useEditorView();
  const { tags } = state.content;
  const [searchParams] = useSearchParams();
  const { key } = useLocation();
  /** Number of actions that discarded the selection. A new number mounts the list again. */
  const [actionCount, setActionCount] = useState(0);
  const [announcement, setAnnouncement] = useState("");
  const [isFull, setFull] = useState(false);
  /** Saves the stops unless there are too many. An unchanged tour means that there was no room for copies. */
  const setIfRoom = (newTour: readonly TourStop[]) => {
    setFull(newTour === tour || newTour.length > TOUR_STOPS_MAX);
    if (newTour.length <= TOUR_STOPS_MAX) setTour(newTour);
  };
  const drag = useDragOrder({
    isEnabled: editor !== null,
    order: () => tour.map(({ id }) => id),
    onMove: (ids, before) => setTour(moveStops(tour, ids, before)),
  });
  /** Stop that receives the focus: the one whose form was open before, or that was deleted or restored. */
  const focusTargetId = useRef(returnTo);
  const restoreNotice = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the actions that can remove the focused element
  useEffect(() => {
    if (!focusTargetId.current || document.activeElement !== document.body) return;
    const row = list.current?.querySelector(`[value="${focusTargetId.current}"]`)?.closest("li");
    (row?.querySelector("a") ?? restoreNotice.current?.querySelector("button"))?.focus();
  }, [actionCount, restorableStops.length]);
  const deletedIds = (searchParams.get("restore") ?? "").split(" ").flatMap((id) => toUuid(id) ?? []);
  const missingIds = deletedIds.filter((id) => !tour.some((stop) => stop.id === id));

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const tourAction = TOUR_ACTIONS.find((action) => action === submitter?.value);
    if (!editor || !tourAction) return;
    event.preventDefault();
    const ids = new FormData(event.currentTarget).getAll("item").map(String);
    if (tourAction === "delete") {
      focusTargetId.current = ids[0] ?? null;
      onDelete(ids);
      setActionCount(actionCount + 1);
    }
    if (tourAction === "duplicate" && ids.length > 0)
      setIfRoom(applyTourAction(tour, tourAction, ids, newId));
    else setTour(applyTourAction(tour, tourAction, ids, newId));
  };
  /** Moves a stop by keyboard, one position at a time. */
  const onKeyDown = (id: Uuid) => (event: KeyboardEvent) => {
    if (!editor || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(id, event.key === "ArrowUp" ? "up" : "down");
  };
  const move = (id: Uuid, direction: "up" | "down") => {
    const newTour = applyTourAction(tour, direction, [id], newId);
    if (newTour === tour) return;
    setTour(newTour);
    const index = newTour.findIndex((stop) => stop.id === id);
    const stop = newTour[index];
    const title = stop ? stopTitle(stop, index, tags, t, language) : "";
    setAnnouncement(t("content:sceneEditor.tour.movedTo", { title, at: index + 1, of: newTour.length }));
  };
  const seconds = tour.reduce((sum, stop) => sum + stop.seconds, 0);
  return (
    <section aria-labelledby="tour-title" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="grid">
          <h2 id="tour-title" className="text-base font-semibold">
            {t("content:sceneEditor.tour.title")}
          </h2>
          {tour.length > 0 && (
            <p className="text-xs text-muted">
              {t("content:sceneEditor.tour.total", {
                stops: t("content:sceneEditor.tour.stops", { count: tour.length }),
                seconds: t("content:sceneEditor.tour.seconds", { count: Math.round(seconds) }),
              })}
            </p>
          )}
        </div>
        {player}
      </div>
      {!editor && searchParams.has("done") && (
        <Notice tone="success" title={t("shared-owners:toasts.contentSaved")} live />
      )}
      <TourRestore
        ref={restoreNotice}
        ids={restorableStops.length > 0 ? restorableStops.map(({ stop }) => stop.id) : missingIds}
        since={searchParams.get("since") ?? ""}
        onSubmit={(event) => {
          if (!editor || restorableStops.length === 0) return;
          event.preventDefault();
          focusTargetId.current = restorableStops[0]?.stop.id ?? null;
          setIfRoom(restoreStops(tour, restorableStops));
          setActionCount(actionCount + 1);
        }}
      />
      {isFull && <Notice tone="danger" title={t("content:errors.tour.tooMany")} live />}
      {tour.length === 0 ? (
        <EmptyState icon="play" title={t("content:sceneEditor.tour.none")}>
          {t("content:sceneEditor.tour.noneText")}
        </EmptyState>
      ) : (
        <Form
          method="post"
          key={`${key} ${actionCount}`}
          onSubmit={onSubmit}
          aria-label={t("content:sceneEditor.tour.list")}
          className="group/list grid grid-cols-1"
        >
          <input type="hidden" name="intent" value="tour" />
          <ol ref={list} id="list" tabIndex={-1} className="-mx-2 ruled" {...drag}>
            {tour.map((stop, index) => (
              <StopRow
                key={stop.id}
                stop={stop}
                index={index}
                isCurrent={stop.id === currentStopId}
                playFrom={playFrom}
                onMove={editor && ((direction) => move(stop.id, direction))}
                onKeyDown={onKeyDown(stop.id)}
                {...(editor && draggableRow(stop.id))}
              />
            ))}
          </ol>
          <SelectionBar size={tour.length}>
            <ActionButton action="up" icon="chevron-up" />
            <ActionButton action="down" icon="chevron-down" />
            <ActionButton action="duplicate" icon="copy" />
            <ActionButton action="delete" icon="trash" />
          </SelectionBar>
        </Form>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <AddStop tour={tour} setTour={setTour} openStop={openStop} />
    </section>
  );
}
