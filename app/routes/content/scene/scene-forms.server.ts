/** Forms of the start view and the floor plan that pages without scripts submit. Those of the tour are in tour-forms.server. */
import { type EventContent, newMediaValues } from "~/domain/content/content";
import { planField } from "~/domain/content/scene.schema";
import { optionalViewpointField } from "~/domain/shared/fields.schema";
import { toUuid } from "~/domain/shared/ids";
import { type Edit, pickValues } from "~/features/content/editor/content";
import { checkPlan, checkStart } from "~/forms/content/scene-check";
import { PLAN_FIELDS, planInput, readInputs, startInput, VIEW_FIELDS } from "~/forms/content/scene-input";
import { type ContentPost, redirectToList, rejectContent } from "../editor/content-post.server";
import { mediaItemMetadata } from "../items/media-item-metadata";
import { firstPlan } from "../plans/first-plan";
import { handleStopForm, handleTourForm } from "../tours/tour-forms.server";
import { mergeForm } from "./merge-form";
import {
  conflictResponse,
  type RejectedForm,
  readEventContent,
  readOriginalValues,
  SAVED_PARAMS,
  saveScene,
} from "./scene-post.server";

/** Handles the forms of the scene's panels; null for any other form. */
export async function handleSceneForm(post: ContentPost) {
  switch (post.form.get("intent")) {
    case "start":
      return handleStartForm(post);
    case "stop":
      return handleStopForm(post);
    case "tour":
      return handleTourForm(post);
    case "plan":
      return handlePlanForm(post);
    default:
      return null;
  }
}

async function handleStartForm(post: ContentPost) {
  const content = await readEventContent(post);
  const saved = pickValues(content.scene, ["startView"]);
  const originalView = readOriginalValues(post.form, (value) => optionalViewpointField.safeParse(value));
  const isCleared = post.form.get("do") === "clear";
  const input = isCleared ? startInput({ startView: null }) : readInputs(post.form, VIEW_FIELDS);
  const { values, errors } = checkStart(input, { startView: originalView });
  const rejectedForm: RejectedForm = { part: "start", input, errors };
  const reject = (status: number, problem: string | null) =>
    rejectContent(status, {
      problem,
      scene: { ...rejectedForm, originalValues: String(post.form.get("was") ?? "") },
    });
  if (Object.keys(errors).length > 0) return reject(400, null);
  const merged = mergeForm({ startView: originalView }, values, saved);
  if (merged.conflicts.length > 0)
    return conflictResponse(rejectedForm, merged, values, saved, content.scene.startView);
  if (Object.keys(merged.values).length === 0) return redirectToList(post, SAVED_PARAMS);
  const rejection = await saveScene(post, content, merged.values);
  return rejection ? reject(rejection.status, rejection.problem) : redirectToList(post, SAVED_PARAMS);
}

async function handlePlanForm(post: ContentPost) {
  const { form } = post;
  const content = await readEventContent(post);
  const { plan } = content.scene;
  const formAction = form.get("do");
  if (formAction === "pick") return pickPlan(post, content);
  const originalPlan = readOriginalValues(form, (value) => planField.safeParse(value));
  const input = formAction === "remove" ? planInput({ plan: null }) : readInputs(form, PLAN_FIELDS);
  const { values, errors } = checkPlan(input, { plan: originalPlan });
  const rejectedForm: RejectedForm = { part: "plan", input, errors };
  const reject = (status: number, problem: string | null) =>
    rejectContent(status, {
      problem,
      scene: { ...rejectedForm, originalValues: String(form.get("was") ?? "") },
    });
  if (Object.keys(errors).length > 0) return reject(400, null);
  const merged = mergeForm({ plan: originalPlan }, values, { plan });
  if (merged.conflicts.length > 0) return conflictResponse(rejectedForm, merged, values, { plan }, plan);
  if (Object.keys(merged.values).length === 0) return redirectToList(post, SAVED_PARAMS);
  const rejection = await saveScene(post, content, merged.values);
  return rejection ? reject(rejection.status, rejection.problem) : redirectToList(post, SAVED_PARAMS);
}

/** Makes an image the floor plan. An image of the library is also added to the event. */
async function pickPlan(post: ContentPost, content: EventContent) {
  const { form, context, actor } = post;
  const itemId = toUuid(form.get("libraryItemId"));
  const currentPlan = content.scene.plan;
  const createPlan = (image: Parameters<typeof firstPlan>[0]) =>
    currentPlan ? { ...currentPlan, mediaId: image.id } : firstPlan(image, content);
  const savePlan = async (plan: ReturnType<typeof createPlan>, editsBefore: readonly Edit[] = []) => {
    const rejection = await saveScene(post, content, { plan }, editsBefore);
    return rejection
      ? rejectContent(rejection.status, { problem: rejection.problem })
      : redirectToList(post, SAVED_PARAMS);
  };
  if (itemId === null) {
    const mediaItem = content.media.find(
      ({ id, kind }) => id === toUuid(form.get("mediaId")) && kind === "image",
    );
    return mediaItem
      ? savePlan(createPlan(mediaItem))
      : rejectContent(404, { problem: "content:errors.plan.mediaItem" });
  }
  const result = await context.attempt(context.services.library.getItem({ actor, itemId }));
  if (!result.ok || result.value.kind !== "image")
    return rejectContent(404, {
      problem: result.ok ? "content:errors.plan.mediaItem" : "content:errors.media.notInLibrary",
    });
  const item = result.value;
  const id = crypto.randomUUID();
  const values = newMediaValues(item.id, item.title, context.lang);
  return savePlan(createPlan({ ...item, id }), [
    { op: "create_media", id, values, metadata: mediaItemMetadata(item) },
  ]);
}
