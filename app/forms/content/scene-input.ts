/** Converts the start view, the stops and the floor plan of an event to the texts of their forms, and back. */

import { isEqual } from "~/domain/shared/is-equal";
import { TOUR_SECONDS } from "~/domain/shared/limits";
import type { EventScene, FloorPlan, TourStop, Viewpoint } from "~/domain/shared/model";
import { formatDecimal, formatDegrees, parseDegrees, parseView, viewInput } from "./tag-form-input";

/** Names of the fields of a view. `view.node` is the id of a panorama. */
export const VIEW_FIELDS = [
  "view.mode",
  "view.x",
  "view.y",
  "view.z",
  "view.yaw",
  "view.pitch",
  "view.node",
] as const;
/** Names of the fields of a stop. */
export const STOP_FIELDS = [
  "title.ja",
  "title.en",
  "text.ja",
  "text.en",
  "seconds",
  "tagId",
  ...VIEW_FIELDS,
] as const;
/** Names of the fields of the floor plan. */
export const PLAN_FIELDS = ["mediaId", "center.x", "center.z", "width", "rotation"] as const;

type Inputs<Name extends string> = Readonly<Record<Name, string>>;
/** The typed texts of a view's form. */
export type ViewInput = Inputs<(typeof VIEW_FIELDS)[number]>;
/** The typed texts of a stop's form. */
export type StopInput = Inputs<(typeof STOP_FIELDS)[number]>;
/** The typed texts of the floor plan's form. */
export type PlanInput = Inputs<(typeof PLAN_FIELDS)[number]>;

/** Values that the form of a stop edits: everything except its id. */
export type StopValues = Omit<TourStop, "id">;
/** Values that the form of the start view edits. */
export type StartValues = Pick<EventScene, "startView">;
/** Values that the form of the floor plan edits. */
export type PlanValues = Pick<EventScene, "plan">;

/** Initial values of a new stop. */
export const NEW_STOP: StopValues = {
  tagId: null,
  viewpoint: null,
  title: { ja: "", en: "" },
  text: { ja: "", en: "" },
  seconds: TOUR_SECONDS.usual,
};

/** Returns the form fields of a view. The default mode is `walk`. For null, the numbers are empty. */
const sceneViewInput = (viewpoint: Viewpoint | null): ViewInput => ({
  ...viewInput(viewpoint),
  "view.mode": viewpoint?.mode ?? "walk",
});

/** Returns the form's texts for the start view. */
export const startInput = ({ startView }: StartValues): ViewInput => sceneViewInput(startView);

/** Returns the form's texts for a stop. */
export const stopInput = ({ title, text, seconds, tagId, viewpoint }: StopValues): StopInput => ({
  "title.ja": title.ja,
  "title.en": title.en,
  "text.ja": text.ja,
  "text.en": text.en,
  seconds: formatDecimal(seconds),
  tagId: tagId ?? "",
  ...sceneViewInput(viewpoint),
});

/** Returns the form's texts for the floor plan. For null, they are empty. */
export const planInput = ({ plan }: PlanValues): PlanInput => ({
  mediaId: plan?.mediaId ?? "",
  "center.x": plan ? formatDecimal(plan.center[0]) : "",
  "center.z": plan ? formatDecimal(plan.center[1]) : "",
  width: plan ? formatDecimal(plan.width) : "",
  rotation: plan ? formatDegrees(plan.rotation) : "",
});

/** Reads the texts of the form's fields. */
export function readInputs<Name extends string>(form: FormData, names: readonly Name[]): Inputs<Name> {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return Object.fromEntries(names.map((name) => [name, text(name)])) as Inputs<Name>;
}

const isEmpty = (text: string) => text.trim() === "";
const NUMBERS = ["view.x", "view.y", "view.z", "view.yaw", "view.pitch"] as const;

/** Returns the typed view as input of its schema; null without numbers. If no field has changed, it is the saved view with its exact values. */
export function viewFromInput(input: ViewInput, saved: Viewpoint | null): unknown {
  if (saved && isEqual(trimFields(input), trimFields(sceneViewInput(saved)))) return saved;
  return NUMBERS.every((name) => isEmpty(input[name])) ? null : parseView(input);
}

const trimFields = (input: ViewInput) => VIEW_FIELDS.map((name) => input[name].trim());

/** Converts the texts of a stop's form to the input of its schema. @param saved the values from which the form was rendered */
export const stopFromInput = (input: StopInput, saved: StopValues): Readonly<Record<string, unknown>> => ({
  title: { ja: input["title.ja"], en: input["title.en"] },
  text: { ja: input["text.ja"], en: input["text.en"] },
  seconds: input.seconds.trim() === formatDecimal(saved.seconds) ? saved.seconds : input.seconds,
  tagId: input.tagId,
  viewpoint: viewFromInput(input, saved.viewpoint),
});

/**
 * Converts the texts of the floor plan's form to the input of its schema. The second parameter contains the values from which the form was rendered.
 */
export function planFromInput(input: PlanInput, { plan }: PlanValues): unknown {
  const initialInput = planInput({ plan });
  const isUnchanged = (...names: readonly (keyof PlanInput)[]) =>
    names.every((name) => input[name].trim() === initialInput[name].trim());
  // Without an image, there is no floor plan. Newly typed numbers are still passed on, so that the schema reports the missing image.
  const numberFields = ["center.x", "center.z", "width", "rotation"] as const;
  if (
    isEmpty(input.mediaId) &&
    (isUnchanged(...numberFields) || numberFields.every((name) => isEmpty(input[name])))
  )
    return null;
  const rotation = isEmpty(input.rotation) ? 0 : parseDegrees(input.rotation);
  return {
    mediaId: input.mediaId,
    center:
      plan && isUnchanged("center.x", "center.z") ? plan.center : [input["center.x"], input["center.z"]],
    width: plan && isUnchanged("width") ? plan.width : input.width,
    rotation: plan && isUnchanged("rotation") ? plan.rotation : rotation,
  } satisfies Record<keyof FloorPlan, unknown>;
}

/** Controls that show the messages of values, by the values' names. */
export const SCENE_CONTROLS: Readonly<Record<string, string>> = {
  startView: "view.x",
  viewpoint: "tagId",
  title: "title.ja",
  text: "text.ja",
  plan: "mediaId",
  center: "center.x",
  // Each of the two coordinates also has its own messages.
  "center.x": "center.x",
  "center.z": "center.z",
};
