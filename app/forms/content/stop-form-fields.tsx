import type { ReactNode } from "react";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { TextArea, TextField } from "~/components/fields/text-field";
import { TOUR_SECONDS, TOUR_TEXT_MAX, TOUR_TITLE_MAX } from "~/domain/shared/limits";
import { inLanguage, missingLanguages } from "~/domain/shared/localized";
import type { EventTag } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { LanguageFields, localizedInput } from "../shared/language-fields";
import { type ContentFormProps, useContentField } from "./content-field";
import { pointText } from "./place-fields";
import { SCENE_CONTROLS, type StopInput } from "./scene-input";
import { VIEW_CONTROLS, ViewFields } from "./view-fields";

export interface StopFormFieldsProps extends ContentFormProps<StopInput> {
  /** Tags that the stop can show. */
  readonly tags: readonly EventTag[];
  /** Panoramas of the space, in which the stop's view can be; empty for a space without panoramas. */
  readonly panoramas: readonly { readonly id: string; readonly title: string }[];
  /** Whether the space moves its own camera, so that the stop's view cannot be changed. */
  readonly hasNoViews?: boolean;
  /** Buttons that capture the view. They need scripts. */
  readonly viewTools?: ReactNode;
}

/** All fields of a tour stop. They also work in a form without scripts. */
export function StopFormFields(props: StopFormFieldsProps) {
  const { input, tags, panoramas, hasNoViews = false, viewTools } = props;
  const { t, language } = useTranslation();
  const field = useContentField(props, SCENE_CONTROLS);
  const isTagListed = input.tagId === "" || tags.some(({ id }) => id === input.tagId);
  return (
    <>
      <LanguageFields
        missing={missingLanguages(localizedInput(input, "title"), localizedInput(input, "text"))}
        summary={(lang) => input[`title.${lang}`] || input[`text.${lang}`]}
        hasError={(lang) => ["title", "text"].some((name) => field(`${name}.${lang}`).error.length > 0)}
        render={(lang) => (
          <>
            <TextField
              {...field(`title.${lang}`)}
              label={t(`content:sceneEditor.tour.name.${lang}`)}
              hint={t("content:sceneEditor.tour.nameHint")}
              maxCharacters={TOUR_TITLE_MAX}
              autoComplete="off"
              lang={lang}
            />
            <TextArea
              {...field(`text.${lang}`)}
              label={t(`content:sceneEditor.tour.text.${lang}`)}
              maxCharacters={TOUR_TEXT_MAX}
              rows={4}
              className="lg:[&_textarea]:min-h-40"
              lang={lang}
            />
          </>
        )}
      />
      <NumberField
        {...field("seconds")}
        label={t("content:sceneEditor.tour.secondsLabel")}
        hint={t("content:sceneEditor.tour.secondsHint")}
        min={TOUR_SECONDS.min}
        max={TOUR_SECONDS.max}
        step="any"
      />
      <fieldset className="grid gap-4">
        <legend className="mb-2 text-base font-semibold">{t("content:sceneEditor.tour.where")}</legend>
        <SelectField
          {...field("tagId")}
          label={t("content:sceneEditor.tour.tag")}
          hint={t("content:sceneEditor.tour.tagHint")}
          options={[
            { value: "", label: t("content:sceneEditor.tour.noTag") },
            ...tags.map((tag) => ({
              value: tag.id,
              label: inLanguage(tag.title, language).text || t("content:untitled"),
            })),
            ...(isTagListed ? [] : [{ value: input.tagId, label: t("content:sceneEditor.tour.goneTag") }]),
          ]}
        />
        {hasNoViews ? (
          Object.entries(input).map(
            ([name, value]) =>
              name.startsWith("view.") && <input key={name} type="hidden" name={name} value={value} />,
          )
        ) : (
          <>
            {viewTools}
            <FieldDetailsList>
              <FieldDetails
                name="stop-view"
                title={t("content:sceneEditor.view.numbers")}
                summary={pointText(input, "view") ?? t("content:view.none")}
                hasError={VIEW_CONTROLS.some((name) => field(name).error.length > 0)}
              >
                <p className="text-xs text-muted text-phrase">{t("content:sceneEditor.view.numbersHint")}</p>
                <ViewFields field={field} input={input} panoramas={panoramas} />
              </FieldDetails>
            </FieldDetailsList>
          </>
        )}
      </fieldset>
    </>
  );
}
