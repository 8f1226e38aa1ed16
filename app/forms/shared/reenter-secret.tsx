import { useState } from "react";
import { RadioCards } from "~/components/fields/radio-cards";
import {
  type EventFormSecret,
  LOST_SECRET_CHOICES,
  type LostSecretChoice,
  type TestedStore,
} from "~/domain/events/event-form";
import { useTranslation } from "~/i18n/translation";

/**
 * Returns the secrets (passwords and tokens) that the user has to enter again, because the rejected form was answered with a new document. Only
 * the first render counts: if scripts receive a later rejection, the typed secrets are still in their fields.
 * @param typedSecrets the secrets that had been typed when the form was rejected
 */
export function useSecretsToReenter(typedSecrets: readonly EventFormSecret[]): readonly EventFormSecret[] {
  const [lostSecrets] = useState(typedSecrets);
  return lostSecrets;
}

export interface ReenterSecretProps {
  readonly formId: string;
  readonly name: EventFormSecret;
  /** The store for which the typed token was tested. The page contains the token encrypted, so it can be saved without being typed again. */
  readonly tested?: TestedStore | null;
}

/** Lets the user choose, before the field of a lost secret, whether to use the tested secret, to type it again, or to keep the saved one. */
export function ReenterSecret({ formId, name, tested = null }: ReenterSecretProps) {
  const { t } = useTranslation();
  const choices: readonly LostSecretChoice[] = [
    ...(tested ? ["tested" as const] : []),
    ...LOST_SECRET_CHOICES,
  ];
  return (
    <>
      {tested && <input type="hidden" name={`${name}Tested`} value={tested.sealedToken} />}
      <RadioCards
        name={`${name}Again`}
        id={`${formId}-${name}Again`}
        label={t(`events:reenterSecret.${name}`)}
        hint={t("events:reenterSecret.hint")}
        defaultValue={choices[0] ?? ""}
        options={choices.map((choice) => ({
          value: choice,
          label:
            choice === "tested"
              ? t("events:reenterSecret.tested", { store: tested?.storeUrl.replace(/^https:\/\//, "") ?? "" })
              : t(`events:reenterSecret.${choice}`),
        }))}
      />
    </>
  );
}
