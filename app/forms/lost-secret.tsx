import { useState } from "react";
import { RadioCards } from "~/components/radio-cards";
import {
  type EventFormSecret,
  LOST_SECRET_CHOICES,
  type LostSecretChoice,
  type TestedStore,
} from "~/domain/events/event-form";
import { useTranslation } from "~/i18n/translation";

/**
 * The secrets that were typed into this form and are gone, because the answer came as a page of its own. Where the page
 * stayed, by scripts, they are still in their fields.
 * @param typed those that the refused form held
 */
export function useLostSecrets(typed: readonly EventFormSecret[]): readonly EventFormSecret[] {
  const [lost] = useState(typed);
  return lost;
}

export interface LostSecretProps {
  readonly formId: string;
  readonly name: EventFormSecret;
  /** A store's token that was tested, which can be used as it is. */
  readonly tested?: TestedStore | null;
}

/** Asks what becomes of a secret that is gone: the one that was tested, typed again, or left as it is saved. Stands before its field. */
export function LostSecret({ formId, name, tested = null }: LostSecretProps) {
  const { t } = useTranslation();
  const choices: readonly LostSecretChoice[] = [
    ...(tested ? ["tested" as const] : []),
    ...LOST_SECRET_CHOICES,
  ];
  return (
    <>
      {tested && <input type="hidden" name={`${name}Tested`} value={tested.locked} />}
      <RadioCards
        name={`${name}Again`}
        id={`${formId}-${name}Again`}
        label={t(`events:secretLost.${name}`)}
        hint={t("events:secretLost.hint")}
        defaultValue={choices[0] ?? ""}
        options={choices.map((choice) => ({
          value: choice,
          label:
            choice === "tested"
              ? t("events:secretLost.tested", { store: tested?.storeUrl.replace(/^https:\/\//, "") ?? "" })
              : t(`events:secretLost.${choice}`),
        }))}
      />
    </>
  );
}
