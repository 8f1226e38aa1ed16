import type { ReactNode } from "react";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { TextArea } from "~/components/fields/text-field";
import { isStaged } from "~/domain/library/media-kinds";
import {
  MEDIA_DESCRIPTION_MAX,
  MEDIA_TITLE_MAX,
  PLACEMENT_REACH,
  PLACEMENT_WIDTH_MAX,
} from "~/domain/shared/limits";
import type { MediaKind } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { TitledFields } from "../shared/language-fields";
import { type ContentFormProps, selectControls, useContentField } from "./content-field";
import { MEDIA_ITEM_CONTROLS, type MediaItemInput } from "./media-item-input";
import { POINT_FIELDS, PointFields, pointText } from "./place-fields";

export interface MediaItemFormFieldsProps extends ContentFormProps<MediaItemInput> {
  readonly kind: MediaKind;
  /** Buttons that place the media item in the space and move it in small steps. They need scripts. */
  readonly placeTools?: ReactNode;
  readonly nudgeTools?: ReactNode;
}

/** All fields of a media item in an event: its texts and its placement in the space. */
export function MediaItemFormFields(props: MediaItemFormFieldsProps) {
  const { id, input, kind, placeTools, nudgeTools, onField } = props;
  const { t, language } = useTranslation();
  const field = useContentField(props, selectControls(MEDIA_ITEM_CONTROLS, language));
  const hasError = (...names: readonly string[]) => names.some((name) => field(name).error.length > 0);
  const plays = kind === "video" || kind === "audio";
  const position = pointText(input, "position");
  const degrees = input.rotation === "" || input.rotation === "0" ? "" : ` · ${input.rotation}°`;
  return (
    <>
      <div className="grid grid-cols-1 gap-4">
        <TitledFields
          field={field}
          label={(lang) => t(`content:media.title.${lang}`)}
          titleMax={MEDIA_TITLE_MAX}
          input={input}
          textName="description"
          text={(lang) => (
            <TextArea
              {...field(`description.${lang}`)}
              label={t(`content:media.description.${lang}`)}
              maxCharacters={MEDIA_DESCRIPTION_MAX}
              rows={3}
              className="lg:[&_textarea]:min-h-40"
              lang={lang}
            />
          )}
        />
      </div>
      <fieldset className="grid grid-cols-1 gap-3">
        <legend className="mb-1.5 text-sm font-semibold">{t("content:place.inSpace")}</legend>
        {placeTools}
        <CheckboxField
          name="hidden"
          id={`${id}-hidden`}
          label={t("content:hidden")}
          hint={t("content:media.hiddenHint")}
          checked={input.hidden === "on"}
          onChange={({ currentTarget }) => onField("hidden", currentTarget.checked ? "on" : "")}
        />
      </fieldset>
      <FieldDetailsList>
        <FieldDetails
          name="medium-position"
          title={t("content:groups.size")}
          summary={
            position
              ? `${position} · ${input.width} ${t("content:metres")}${degrees}`
              : t("content:unplaced.media")
          }
          hasError={hasError(...POINT_FIELDS, "width", "rotation")}
        >
          {nudgeTools}
          <PointFields
            name="position"
            legend={t("content:place.position")}
            hint={t(isStaged(kind) ? "content:place.modelHint" : "content:place.mediaItemHint")}
            field={field}
          />
          <PointFields
            name="normal"
            legend={t("content:place.normal")}
            hint={t(isStaged(kind) ? "content:place.modelNormalHint" : "content:place.normalHint")}
            field={field}
          />
          <div className="grid grid-cols-2 gap-2">
            <NumberField
              {...field("width")}
              label={t("content:media.width")}
              min={0}
              max={PLACEMENT_WIDTH_MAX}
              step="any"
              unit={t("content:metres")}
            />
            <NumberField {...field("rotation")} label={t("content:media.rotation")} step="any" unit="°" />
          </div>
        </FieldDetails>
        {plays && (
          <FieldDetails
            name="medium-play"
            title={t("content:media.play")}
            summary={t(input.play === "auto" ? "content:media.playAuto" : "content:media.playClick")}
            hasError={hasError("play", "reach")}
          >
            <SelectField
              {...field("play")}
              label={t("content:media.play")}
              options={[
                { value: "click", label: t("content:media.playClick") },
                { value: "auto", label: t("content:media.playAuto") },
              ]}
            />
            <NumberField
              {...field("reach")}
              label={t("content:media.reach")}
              hint={t("content:media.reachHint")}
              min={PLACEMENT_REACH.min}
              max={PLACEMENT_REACH.max}
              step="any"
              unit={t("content:metres")}
            />
          </FieldDetails>
        )}
      </FieldDetailsList>
      {!plays && (
        <>
          <input type="hidden" name="play" value={input.play} />
          <input type="hidden" name="reach" value={input.reach} />
        </>
      )}
    </>
  );
}
