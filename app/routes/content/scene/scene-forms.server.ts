/** Forms of the start view and the floor plan that pages without scripts submit. */
import type { EventContent } from "~/domain/content/content";
import { planField } from "~/domain/content/scene.schema";
import { optionalViewpointField } from "~/domain/shared/fields.schema";
import { toUuid } from "~/domain/shared/ids";
import { type Edit, pickValues } from "~/features/content/editor/content";
import { checkPlan, checkStart } from "~/forms/content/scene-check";
import { PLAN_FIELDS, planInput, readInputs, startInput, VIEW_FIELDS } from "~/forms/content/scene-input";
import { backTo, type ContentPost, rejectContent } from "../editor/content-post.server";
import { mediaItemMetadata } from "../items/media-item-metadata";
import { firstPlan } from "../plans/first-plan";
import { stopForm, tourForm } from "../tours/tour-forms.server";
import { mergeForm } from "./scene-merge";
import { clash, contentOf, filledFrom, type RejectedForm, SAVED, save } from "./scene-post.server";

/** Handles these forms; null for any other form. */
export async function sceneAction(post: ContentPost) {
  switch (post.form.get("intent")) {
    case "start":
      return startForm(post);
    case "stop":
      return stopForm(post);
    case "tour":
      return tourForm(post);
    case "plan":
      return planForm(post);
    default:
      return null;
  }
}

async function startForm(post: ContentPost) {
  const content = await contentOf(post);
  const saved = pickValues(content.scene, ["startView"]);
  const was = filledFrom(post.form, (value) => optionalViewpointField.safeParse(value));
  const isCleared = post.form.get("do") === "clear";
  const input = isCleared ? startInput({ startView: null }) : readInputs(post.form, VIEW_FIELDS);
  const { values, errors } = checkStart(input, { startView: was });
  const came: RejectedForm = { part: "start", input, errors };
  const refuse = (status: number, problem: string | null) =>
    rejectContent(status, { problem, scene: { ...came, was: String(post.form.get("was") ?? "") } });
  if (Object.keys(errors).length > 0) return refuse(400, null);
  const merged = mergeForm({ startView: was }, values, saved);
  if (merged.clashes.length > 0) return clash(came, merged, values, saved, content.scene.startView);
  if (Object.keys(merged.values).length === 0) return backTo(post, SAVED);
  const refusal = await save(post, content, merged.values);
  return refusal ? refuse(refusal.status, refusal.problem) : backTo(post, SAVED);
}

async function planForm(post: ContentPost) {
  const { form } = post;
  const content = await contentOf(post);
  const { plan } = content.scene;
  const formAction = form.get("do");
  if (formAction === "pick") return pickPlan(post, content);
  const was = filledFrom(form, (value) => planField.safeParse(value));
  const input = formAction === "remove" ? planInput({ plan: null }) : readInputs(form, PLAN_FIELDS);
  const { values, errors } = checkPlan(input, { plan: was });
  const came: RejectedForm = { part: "plan", input, errors };
  const refuse = (status: number, problem: string | null) =>
    rejectContent(status, { problem, scene: { ...came, was: String(form.get("was") ?? "") } });
  if (Object.keys(errors).length > 0) return refuse(400, null);
  const merged = mergeForm({ plan: was }, values, { plan });
  if (merged.clashes.length > 0) return clash(came, merged, values, { plan }, plan);
  if (Object.keys(merged.values).length === 0) return backTo(post, SAVED);
  const refusal = await save(post, content, merged.values);
  return refusal ? refuse(refusal.status, refusal.problem) : backTo(post, SAVED);
}

/** Makes an image the floor plan: one of the event, or one of the library, which is added to the event as well. */
async function pickPlan(post: ContentPost, content: EventContent) {
  const { form, context, actor } = post;
  const itemId = toUuid(form.get("libraryItemId"));
  const old = content.scene.plan;
  const planOf = (picture: Parameters<typeof firstPlan>[0]) =>
    old ? { ...old, mediaId: picture.id } : firstPlan(picture, content);
  const done = async (plan: ReturnType<typeof planOf>, first: readonly Edit[] = []) => {
    const refusal = await save(post, content, { plan }, first);
    return refusal ? rejectContent(refusal.status, { problem: refusal.problem }) : backTo(post, SAVED);
  };
  if (itemId === null) {
    const medium = content.media.find(
      ({ id, kind }) => id === toUuid(form.get("mediaId")) && kind === "image",
    );
    return medium ? done(planOf(medium)) : rejectContent(404, { problem: "content:errors.plan.medium" });
  }
  const result = await context.attempt(context.services.library.getItem({ actor, itemId }));
  if (!result.ok || result.value.kind !== "image")
    return rejectContent(404, {
      problem: result.ok ? "content:errors.plan.medium" : "content:errors.media.notInLibrary",
    });
  const item = result.value;
  const id = crypto.randomUUID();
  const none = { ja: "", en: "" };
  const values = {
    libraryItemId: item.id,
    title: { ...none, [context.lang]: item.title },
    description: none,
    placement: null,
    hidden: false,
  };
  return done(planOf({ ...item, id }), [{ op: "create_media", id, values, facts: mediaItemMetadata(item) }]);
}
