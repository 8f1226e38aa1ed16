import { useState } from "react";
import { RadioCards } from "~/components/radio-cards";
import { type EventFormSecret, LOST_SECRET_CHOICES } from "~/domain/event-form";
import { useTranslation } from "~/i18n/use-translation";

/**
 * The secrets that were typed into this form and are gone, because the answer came as a page of its own. Where the page
 * stayed, by scripts, they are still in their fields.
 * @param typed those that the refused form held
 */
export function useLostSecrets(typed: readonly EventFormSecret[]): readonly EventFormSecret[] {
  const [lost] = useState(typed);
  return lost;
}

/** Asks what becomes of a secret that is gone: typed again, or left as it is saved. Stands before its field. */
export function LostSecret({ formId, name }: { readonly formId: string; readonly name: EventFormSecret }) {
  const { t } = useTranslation();
  return (
    <RadioCards
      name={`${name}Again`}
      id={`${formId}-${name}Again`}
      label={t(`events.secretLost.${name}`)}
      hint={t("events.secretLost.hint")}
      defaultValue={LOST_SECRET_CHOICES[0]}
      options={LOST_SECRET_CHOICES.map((choice) => ({
        value: choice,
        label: t(`events.secretLost.${choice}`),
      }))}
    />
  );
}
