/** Forms of the guided tour that pages without scripts submit. */

import { tourField } from "~/domain/content/scene.schema";
import { toUuid } from "~/domain/shared/ids";
import { TOUR_STOPS_MAX } from "~/domain/shared/limits";
import type { TourStop, Uuid } from "~/domain/shared/model";
import { checkStop } from "~/forms/content/scene-check";
import { NEW_STOP, readInputs, STOP_FIELDS } from "~/forms/content/scene-input";
import {
  type ContentPost,
  REJECTION_MESSAGES,
  readSelectedIds,
  redirectToList,
  rejectContent,
} from "../editor/content-post.server";
import { mergeForm } from "../scene/merge-form";
import {
  conflictResponse,
  type RejectedForm,
  readEventContent,
  readOriginalValues,
  SAVED_PARAMS,
  saveScene,
} from "../scene/scene-post.server";
import { applyTourAction, findDeletedStops, restoreStops, TOUR_ACTIONS } from "./tour-actions";

/** Handles the form of one stop: saves it, or creates a new one. */
export async function handleStopForm(post: ContentPost) {
  const { form } = post;
  const content = await readEventContent(post);
  const { tour } = content.scene;
  const id = toUuid(form.get("id"));
  const saved = tour.find((stop) => stop.id === id);
  const isNew = form.get("new") === "1";
  const originalStop = readOriginalValues(form, (value) => {
    const parsed = tourField.safeParse([value]);
    return parsed.success && parsed.data[0] ? { success: true, data: parsed.data[0] } : { success: false };
  });
  const input = readInputs(form, STOP_FIELDS);
  const checkResult = checkStop(input, originalStop ?? NEW_STOP);
  const rejectedForm: RejectedForm = { part: "tour", input, errors: checkResult.errors };
  const reject = (status: number, problem: string | null) =>
    rejectContent(status, {
      problem,
      scene: { ...rejectedForm, originalValues: String(form.get("was") ?? "") },
    });
  if (id === null || (!saved && !isNew)) return reject(404, REJECTION_MESSAGES.not_found);
  if (Object.keys(checkResult.errors).length > 0) return reject(400, null);
  const redirectAfterSave = () => redirectToList(post, { stop: id, ...SAVED_PARAMS });
  const saveTour = async (newTour: readonly TourStop[]) => {
    const rejection =
      newTour.length > TOUR_STOPS_MAX ? TOUR_FULL : await saveScene(post, content, { tour: newTour });
    return rejection ? reject(rejection.status, rejection.problem) : redirectAfterSave();
  };
  if (!saved) return saveTour([...tour, { ...NEW_STOP, ...checkResult.values, id }]);
  const merged = mergeForm(originalStop ? { ...originalStop } : null, checkResult.values, { ...saved });
  if (merged.conflicts.length > 0)
    return conflictResponse(rejectedForm, merged, checkResult.values, { ...saved }, saved);
  if (Object.keys(merged.values).length === 0) return redirectAfterSave();
  return saveTour(tour.map((stop) => (stop.id === id ? { ...stop, ...merged.values } : stop)));
}

const TOUR_FULL = { status: 400, problem: "content:errors.tour.tooMany" } as const;

/** Handles the forms of the list: actions on the selected stops, restoring deleted stops, and adding a stop for a tag. */
export async function handleTourForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const content = await readEventContent(post);
  const { tour } = content.scene;
  const formAction = String(form.get("do") ?? "");
  const saveTour = async (newTour: readonly TourStop[], params: Readonly<Record<string, string>>) => {
    if (newTour === tour) return redirectToList(post, params);
    const rejection =
      newTour.length > TOUR_STOPS_MAX ? TOUR_FULL : await saveScene(post, content, { tour: newTour });
    return rejection
      ? rejectContent(rejection.status, { problem: rejection.problem })
      : redirectToList(post, params);
  };
  if (formAction === "add") {
    const tagId = toUuid(form.get("tagId"));
    if (!content.tags.some(({ id }) => id === tagId))
      return rejectContent(400, { problem: "content:sceneEditor.tour.chooseTag" });
    const id: Uuid = crypto.randomUUID();
    return saveTour([...tour, { ...NEW_STOP, id, tagId }], { stop: id });
  }
  const ids = readSelectedIds(form);
  if (ids.length === 0) return rejectContent(400, { problem: "folders:nothingChosen" });
  if (formAction === "restore") {
    const seq = Number(form.get("since"));
    if (!Number.isSafeInteger(seq) || seq < 0)
      return rejectContent(400, { problem: REJECTION_MESSAGES.invalid });
    const stateQuery = { actor, eventId, seq, comparison: "now" } as const;
    const result = await context.attempt(context.services.history.readPastEvent(stateQuery));
    if (!result.ok) return rejectContent(404, { problem: REJECTION_MESSAGES.not_found });
    return saveTour(restoreStops(tour, findDeletedStops(result.value.state.scene.tour, ids)), {
      done: "restore",
    });
  }
  const tourAction = TOUR_ACTIONS.find((action) => action === formAction);
  if (!tourAction) return rejectContent(400, { problem: REJECTION_MESSAGES.invalid });
  const newTour = applyTourAction(tour, tourAction, ids, () => crypto.randomUUID());
  if (tourAction === "duplicate" && newTour === tour)
    return rejectContent(TOUR_FULL.status, { problem: TOUR_FULL.problem });
  const since = String(content.seq);
  return saveTour(
    newTour,
    tourAction === "delete" ? { restore: ids.join(" "), since } : { done: tourAction },
  );
}
