/** Checks the forms of the start view, a tour stop and the floor plan. Valid fields of a stop can be saved while others are still invalid. */
import { planField, tourField } from "~/domain/content/scene.schema";
import { optionalViewpointField } from "~/domain/shared/fields.schema";
import { splitCompoundErrors, VIEW_PARTS } from "../shared/compound-errors";
import type { CheckResult } from "./content-check";
import {
  type PlanInput,
  type PlanValues,
  planFromInput,
  type StartValues,
  type StopInput,
  type StopValues,
  stopFromInput,
  type ViewInput,
  viewFromInput,
} from "./scene-input";

const listMessages = ({ issues }: { readonly issues: readonly { readonly message: string }[] }) =>
  issues.map(({ message }) => message);

/** Validates the form of the start view. @param saved the values from which the form was rendered */
export function checkStart(input: ViewInput, saved: StartValues): CheckResult<StartValues> {
  const result = optionalViewpointField.safeParse(viewFromInput(input, saved.startView));
  if (result.success) return { values: { startView: result.data }, errors: {} };
  return {
    values: {},
    errors: splitCompoundErrors({ startView: listMessages(result.error) }, { startView: VIEW_PARTS }, input),
  };
}

const ANY_ID = "00000000-0000-4000-8000-000000000000";
/** A valid stop, in which one group of fields at a time is replaced for validation. */
const VALID_STOP = {
  id: ANY_ID,
  tagId: null,
  viewpoint: { position: [0, 0, 0], yaw: 0, pitch: 0, mode: "walk" },
  title: {},
  text: {},
  seconds: null,
};
/** Groups of fields that are validated together. The tag and the view are one group, because a stop needs at least one of them. */
const FIELD_GROUPS = [["title"], ["text"], ["seconds"], ["tagId", "viewpoint"]] as const;

/** Validates the form of a stop. @param saved the values from which the form was rendered */
export function checkStop(input: StopInput, saved: StopValues): CheckResult<StopValues> {
  const raw = stopFromInput(input, saved);
  const values: Record<string, unknown> = {};
  const errors: Record<string, readonly string[]> = {};
  for (const group of FIELD_GROUPS) {
    const formValues = Object.fromEntries(group.map((name) => [name, raw[name]]));
    const result = tourField.safeParse([{ ...VALID_STOP, ...formValues }]);
    if (result.success) {
      // An unchanged value stays exactly as it is, because parsing its text again could round it.
      for (const name of group)
        values[name] = raw[name] === saved[name] ? saved[name] : result.data[0]?.[name];
      continue;
    }
    for (const { path, message } of result.error.issues) {
      const name = path.slice(1).join(".");
      const isView = name === "viewpoint" && raw.viewpoint !== null;
      Object.assign(
        errors,
        splitCompoundErrors({ [name]: [message] }, isView ? { viewpoint: VIEW_PARTS } : {}, input),
      );
    }
  }
  return { values: values as Partial<StopValues>, errors };
}

/** A valid floor plan, in which one field at a time is replaced for validation. */
const VALID_PLAN = { mediaId: ANY_ID, center: [0, 0], width: 1, rotation: 0 };

/** Validates the form of the floor plan. @param saved the values from which the form was rendered */
export function checkPlan(input: PlanInput, saved: PlanValues): CheckResult<PlanValues> {
  const raw = planFromInput(input, saved);
  const result = planField.safeParse(raw);
  if (result.success) return { values: { plan: result.data }, errors: {} };
  const formValues = raw as Readonly<Record<keyof typeof VALID_PLAN, unknown>>;
  const [x, z] = formValues.center as readonly [unknown, unknown];
  // Each field is validated separately, so that all errors are shown at once.
  const fieldInputs: Readonly<Record<string, object>> = {
    mediaId: { mediaId: formValues.mediaId },
    "center.x": { center: [x, 0] },
    "center.z": { center: [0, z] },
    width: { width: formValues.width },
    rotation: { rotation: formValues.rotation },
  };
  const errors: Record<string, readonly string[]> = {};
  for (const [name, replaced] of Object.entries(fieldInputs)) {
    const fieldResult = planField.safeParse({ ...VALID_PLAN, ...replaced });
    if (!fieldResult.success)
      Object.assign(
        errors,
        splitCompoundErrors({ [name]: listMessages(fieldResult.error) }, { [name]: [name] }, input),
      );
  }
  return { values: {}, errors };
}
