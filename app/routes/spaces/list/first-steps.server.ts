import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { packMessage } from "~/forms/shared/user-message";
import { languages } from "~/i18n/languages.server";
import { DISMISS_STEPS, OPEN_SAMPLE } from "./first-steps";

interface FirstStepsContext {
  readonly context: AppLoadContext;
  readonly actor: Actor;
}

/** Reads the first steps of the account; null if the page shows none. */
export async function loadFirstSteps(
  { context, actor }: FirstStepsContext,
  account: { readonly spaceCount: number; readonly spaceLicense: number },
) {
  const view = await context.services.users.readFirstSteps({ actor });
  if (!view) return null;
  const spacesLeft = account.spaceLicense - account.spaceCount;
  // The page warns if the sample would be the last space that the account's licence allows.
  const sample =
    view.sampleEventId !== null ? "exists" : spacesLeft > 1 ? "free" : spacesLeft === 1 ? "last" : null;
  return { ...view, sample } as const;
}

/** Handles the forms of the first steps: hides them, or opens the sample, which it creates if there is none; null for any other form. */
export async function firstStepsAction({ context, actor }: FirstStepsContext, form: FormData) {
  const intent = form.get("intent");
  if (intent === DISMISS_STEPS) {
    await context.services.users.dismissFirstSteps({ actor });
    throw redirect("/space-list?toast=steps-dismissed");
  }
  if (intent !== OPEN_SAMPLE) return null;
  const sampleEventId = await context.services.users.findSampleEvent({ actor });
  if (sampleEventId) throw redirect(sampleHref(sampleEventId));
  const name = languages[context.lang].t("spaces:start.sampleName");
  const result = await context.attempt(
    context.services.spaces.createSampleSpace({ actor, name, exhibitionLang: context.lang }),
  );
  if (!result.ok) {
    const { status, userMessage } = result.failure;
    return data({ action: "steps" as const, problem: packMessage(userMessage) }, { status });
  }
  throw redirect(sampleHref(result.value.eventId));
}

const sampleHref = (eventId: string) => `/event/${eventId}/as-visitor?link=preview`;
