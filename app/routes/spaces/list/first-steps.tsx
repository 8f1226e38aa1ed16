import { Form, useNavigation } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { cx } from "~/components/cx";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import type { FirstStep } from "~/domain/users/first-steps";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { SourceImage } from "../source/source-image";

/** Value of the field `intent` of the form that hides the first steps. */
export const DISMISS_STEPS = "dismiss-steps";
/** Value of the field `intent` of the form that opens the sample. */
export const OPEN_SAMPLE = "open-sample";

export interface FirstStepsProps {
  readonly steps: readonly FirstStep[];
  /** Newest space that the user sees, except the sample; null if there is none (then the step `event` is not the current one). */
  readonly spaceId: string | null;
  /** Newest event that is not the unchanged first event of its space; null if there is none (then the step `link` is not the current one). */
  readonly eventId: string | null;
  /**
   * Whether the sample exists ("exists"), can be created ("free"), or would be the last space that the account's licence allows ("last"); null if it
   * cannot be created.
   */
  readonly sample: "exists" | "free" | "last" | null;
  /** URL of the screen that creates a space. */
  readonly newHref: string;
  /** Reason why the sample could not be created; null if there was no problem. */
  readonly problem: string | null;
}

/** The three steps that lead a new account to the link of its first event, with a sample event to look at. */
export function FirstSteps({ steps, spaceId, eventId, sample, newHref, problem }: FirstStepsProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const hrefs = {
    space: newHref,
    event: `/space/${spaceId}?dialog=new`,
    link: `/event/${eventId}?panel=links`,
  };
  return (
    <section aria-labelledby="first-steps" className="overflow-hidden rounded-lg border border-line">
      <div className="flex items-center justify-between gap-3 py-2 pr-2 pl-4 sm:pl-6">
        <h2 id="first-steps" className="font-semibold text-phrase">
          {t("spaces:steps.title")}
        </h2>
        <Form method="post">
          <Button type="submit" variant="quiet" name="intent" value={DISMISS_STEPS}>
            {t("spaces:steps.dismiss")}
          </Button>
        </Form>
      </div>
      <ol className="grid border-t border-line max-md:divide-y md:grid-cols-3 md:divide-x divide-line">
        {steps.map(({ name, isDone, isCurrent }, index) => (
          <li
            key={name}
            data-step={name}
            data-done={isDone}
            aria-current={isCurrent ? "step" : undefined}
            className={cx(
              "flex gap-3 p-4 sm:p-6 md:flex-col",
              isCurrent ? "bg-accent/6" : "max-md:items-center max-md:py-3",
            )}
          >
            <StepMark number={index + 1} isDone={isDone} isCurrent={isCurrent} />
            <div className="grid min-w-0 content-start gap-1 md:flex-1">
              <h3 className={cx("font-semibold text-phrase", !isCurrent && "text-muted")}>
                {t(`spaces:steps.${name}`)}
              </h3>
              <p className={cx("text-sm text-muted text-phrase", !isCurrent && "max-md:hidden")}>
                {t(`spaces:steps.about.${name}`)}
              </p>
              {isCurrent && (
                <div className="mt-3">
                  <LinkButton variant="primary" href={hrefs[name]}>
                    {t(`spaces:steps.go.${name}`)}
                  </LinkButton>
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
      {problem && (
        <div className="border-t border-line p-4">
          <Notice tone="danger" title={message(problem)} live />
        </div>
      )}
      {sample && <Sample sample={sample} />}
    </section>
  );
}

/** The number of a step, or a tick when it is done. */
function StepMark({ number, isDone, isCurrent }: Omit<FirstStep, "name"> & { readonly number: number }) {
  const { t } = useTranslation();
  return (
    <span
      className={cx(
        "flex size-8 shrink-0 items-center justify-center rounded-full text-sm font-semibold tabular-nums",
        isDone
          ? "bg-success/12 text-success"
          : isCurrent
            ? "bg-accent text-accent-ink"
            : "border border-line text-muted",
      )}
    >
      {isDone ? <Icon name="check" size={16} /> : <span aria-hidden="true">{number}</span>}
      {isDone && <span className="sr-only">{t("spaces:steps.done")}</span>}
    </span>
  );
}

/** Offers the sample: an exhibition in a sample room, which opens as visitors see it. */
function Sample({ sample }: { readonly sample: NonNullable<FirstStepsProps["sample"]> }) {
  const { t } = useTranslation();
  const busy = useNavigation().formData?.get("intent") === OPEN_SAMPLE;
  return (
    <Form
      method="post"
      className="flex items-center gap-4 border-t border-line bg-surface/60 px-4 py-3 max-sm:flex-wrap sm:px-6"
    >
      <span className="w-24 shrink-0 overflow-hidden rounded border border-line">
        <SourceImage kind="sample" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-sm font-semibold text-phrase">{t("spaces:steps.sample")}</p>
        <p className="text-xs text-muted text-phrase">{t(`spaces:steps.sampleText.${sample}`)}</p>
      </div>
      <Button
        type="submit"
        icon="eye"
        name="intent"
        value={OPEN_SAMPLE}
        pending={busy}
        className="max-sm:w-full"
      >
        {t("spaces:steps.openSample")}
      </Button>
    </Form>
  );
}
