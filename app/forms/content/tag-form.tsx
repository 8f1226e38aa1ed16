import type { ReactNode } from "react";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { Field, fieldIds } from "~/components/fields/field";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { KeywordInput } from "~/components/fields/keyword-input";
import { NumberField } from "~/components/fields/number-field";
import { TextField } from "~/components/fields/text-field";
import { Icon, isIconName, TAG_ICONS } from "~/components/icon";
import { LINK_URL_MAX, TAG_BODY_MAX, TAG_TITLE_MAX } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { TitledFields } from "../shared/language-fields";
import { type ContentFormProps, selectControls, useContentField } from "./content-field";
import { POINT_FIELDS, PointFields, pointText } from "./place-fields";
import { RichTextField } from "./rich-text-field";
import { TAG_CONTROLS, type TagFormInput } from "./tag-form-input";
import { VIEW_CONTROLS, VIEW_MODE_LABELS, VIEW_MODES, ViewFields } from "./view-fields";

export interface TagFormFieldsProps extends ContentFormProps<TagFormInput> {
  /** Increases when a script changes the fields. Components with state of their own then remount. */
  readonly resetCount: number;
  /** Keywords of all tags of the event, as suggestions. */
  readonly keywords: readonly string[];
  /** Preview of the formatted texts. */
  readonly preview: ReactNode;
  /** List of the tag's media, with the link that opens the picker. */
  readonly media: ReactNode;
  /** Product of the tag, with the link that opens the picker. */
  readonly product: ReactNode;
  /** Buttons that place the tag, move it in small steps and capture the view. They need scripts. */
  readonly placeTools?: ReactNode;
  readonly nudgeTools?: ReactNode;
  readonly viewTools?: ReactNode;
}

/** All fields of a tag. They also work in a form without scripts. */
export function TagFormFields(props: TagFormFieldsProps) {
  const { id, input, errors, keywords, preview, media, product, placeTools, nudgeTools, viewTools } = props;
  const { resetCount, onField } = props;
  const { t, language } = useTranslation();
  const field = useContentField(props, selectControls(TAG_CONTROLS, language));
  const hasError = (...names: readonly string[]) =>
    names.some((name) => field(name).error.length > 0 || (errors[name]?.length ?? 0) > 0);
  const colorIds = fieldIds(`${id}-color`, { error: field("color").error });
  const icon = TAG_ICONS.find((name) => name === input.icon);
  const mode = VIEW_MODES.find((viewMode) => viewMode === input["view.mode"]);
  const none = t("content:view.none");
  return (
    <>
      <div className="grid grid-cols-1 gap-4">
        <TitledFields
          field={field}
          label={(lang) => t(`content:tag.title.${lang}`)}
          titleMax={TAG_TITLE_MAX}
          input={input}
          textName="body"
          text={(lang) => (
            <>
              <RichTextField
                {...field(`body.${lang}`)}
                label={t(`content:tag.body.${lang}`)}
                maxCharacters={TAG_BODY_MAX}
                rows={4}
                lang={lang}
              />
              {lang === language && preview}
            </>
          )}
        />
      </div>
      {media}
      <fieldset className="grid grid-cols-1 gap-3">
        <legend className="mb-1.5 text-sm font-semibold">{t("content:place.title")}</legend>
        {placeTools}
        <CheckboxField
          name="hidden"
          id={`${id}-hidden`}
          label={t("content:hidden")}
          hint={t("content:tag.hiddenHint")}
          checked={input.hidden === "on"}
          onChange={({ currentTarget }) => onField("hidden", currentTarget.checked ? "on" : "")}
        />
      </fieldset>
      <FieldDetailsList>
        <FieldDetails
          name="tag-position"
          title={t("content:groups.position")}
          summary={pointText(input, "position") ?? t("content:unplaced.tag")}
          hasError={hasError(...POINT_FIELDS, "length", "position", "stem")}
        >
          {nudgeTools}
          <PointFields
            name="position"
            legend={t("content:place.position")}
            hint={t("content:place.positionHint")}
            field={field}
          />
          <PointFields
            name="normal"
            legend={t("content:place.normal")}
            hint={t("content:tag.normalHint")}
            field={field}
          />
          <NumberField
            {...field("length")}
            label={t("content:tag.stem")}
            hint={t("content:tag.stemHint")}
            min={0}
            step="any"
            unit={t("content:metres")}
          />
        </FieldDetails>
        <FieldDetails
          name="tag-look"
          title={t("content:groups.look")}
          summary={
            <>
              <span
                aria-hidden="true"
                className="size-4 shrink-0 rounded-full"
                style={{ backgroundColor: input.color }}
              />
              {icon ? t(`content:icons.${icon}`) : input.icon}
            </>
          }
          hasError={hasError("color", "icon")}
        >
          <div className="flex flex-wrap items-start gap-4">
            <Field label={t("content:tag.color")} ids={colorIds} error={field("color").error}>
              <input
                type="color"
                name="color"
                id={colorIds.id}
                value={input.color}
                onChange={field("color").onChange}
                className="control h-10 w-20 cursor-pointer p-1"
              />
            </Field>
            <IconChoice id={id} value={input.icon} onField={onField} />
          </div>
        </FieldDetails>
        <FieldDetails
          name="tag-keywords"
          title={t("content:tag.keywords")}
          summary={input.keywords || none}
          hasError={hasError("keywords")}
        >
          <KeywordInput
            key={`keywords ${resetCount}`}
            name="keywords"
            id={`${id}-keywords`}
            label={t("content:tag.keywords")}
            suggestions={keywords}
            defaultValue={input.keywords.split(/,\s*/).filter(Boolean)}
            error={field("keywords").error}
          />
        </FieldDetails>
        <FieldDetails
          name="tag-link"
          title={t("content:groups.link")}
          summary={
            [input["product.title"], input.linkUrl].filter(Boolean).join(t("shared-owners:listSeparator")) ||
            none
          }
          hasError={hasError("linkUrl", "product")}
        >
          <TextField
            {...field("linkUrl")}
            label={t("content:tag.link")}
            hint={t("content:tag.linkHint")}
            inputMode="url"
            maxLength={LINK_URL_MAX}
            autoComplete="off"
            spellCheck={false}
          />
          {product}
        </FieldDetails>
        <FieldDetails
          name="tag-view"
          title={t("content:view.title")}
          summary={mode ? t(VIEW_MODE_LABELS[mode]) : none}
          hasError={hasError(...VIEW_CONTROLS)}
        >
          <p className="text-xs text-muted text-phrase">{t("content:view.hint")}</p>
          {viewTools}
          <ViewFields field={field} input={input} optional />
        </FieldDetails>
      </FieldDetailsList>
    </>
  );
}

/** Field for choosing one of the icons that a tag can have. */
function IconChoice({
  id,
  value,
  onField,
}: {
  readonly id: string;
  readonly value: string;
  readonly onField: (name: string, value: string) => void;
}) {
  const { t } = useTranslation();
  const isListed = (TAG_ICONS as readonly string[]).includes(value);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">{t("content:tag.icon")}</legend>
      <div className="flex flex-wrap gap-1">
        {TAG_ICONS.map((name, index) => (
          <label
            key={name}
            title={t(`content:icons.${name}`)}
            className="relative inline-flex size-10 cursor-pointer items-center justify-center rounded border border-transparent hover:bg-ink/7 has-checked:border-accent has-checked:bg-accent/6 has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="icon"
              id={index === 0 ? `${id}-icon` : undefined}
              value={name}
              checked={value === name}
              onChange={() => onField("icon", name)}
              aria-label={t(`content:icons.${name}`)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <Icon name={name} />
          </label>
        ))}
        {!isListed && (
          // An imported event may contain an icon that is not in the list. It stays selected until the user chooses another one.
          <label className="relative inline-flex size-10 items-center justify-center rounded border border-accent text-accent">
            <input
              type="radio"
              name="icon"
              value={value}
              checked
              onChange={() => onField("icon", value)}
              aria-label={value}
              className="absolute inset-0 opacity-0"
            />
            <Icon name={isIconName(value) ? value : "info"} />
          </label>
        )}
      </div>
    </fieldset>
  );
}
