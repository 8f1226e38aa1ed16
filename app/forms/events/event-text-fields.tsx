import { TextArea, TextField } from "~/components/fields/text-field";
import { LANGS } from "~/domain/shared/lang";
import { EVENT_DETAIL_MAX, EVENT_NAME_MAX } from "~/domain/shared/limits";
import { missingLanguages } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { type FieldLabels, useFieldProps } from "../shared/form-parts";
import { LanguageFields } from "../shared/language-fields";

/** Conform's metadata of a text in several languages. */
export interface TextsField {
  getFieldset(): Readonly<
    Record<
      Lang,
      {
        readonly name: string;
        readonly id: string;
        readonly value?: unknown;
        readonly initialValue?: unknown;
        readonly errors?: string[];
      }
    >
  >;
}

/** Labels of an event's text in each language, by the names of its fields. */
export const textFieldLabels = (t: Translate, field: string, label: string): FieldLabels =>
  Object.fromEntries([
    [field, label],
    ...LANGS.map((lang) => [
      `${field}.${lang}`,
      t("events:inLanguage", { field: label, language: t(`shared-owners:languages.${lang}`) }),
    ]),
  ]);

/** The name of an event in each language, with its details if `detail` is given. */
export function EventTextFields({
  name,
  detail,
  nameLabel,
  nameProblems = {},
}: {
  readonly name: TextsField;
  readonly detail?: TextsField;
  readonly nameLabel: string;
  /** Messages about the names in addition to the errors of the fields. */
  readonly nameProblems?: Readonly<Partial<Record<Lang, string>>>;
}) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const names = name.getFieldset();
  const details = detail?.getFieldset();
  const textFields = details ? [names, details] : [names];
  const trimmedValue = (field: (typeof names)[Lang]) => String(field.value ?? "").trim();
  const nameErrors = (lang: Lang) => {
    const errors = fieldProps(names[lang]).error ?? [];
    const problem = nameProblems[lang];
    return problem === undefined || errors.includes(problem) ? errors : [...errors, problem];
  };
  const label = (text: string, lang: Lang) => textFieldLabels(t, "text", text)[`text.${lang}`] ?? "";
  return (
    <LanguageFields
      missingSummary={t("events:addLanguage")}
      missing={missingLanguages(
        ...textFields.map((fields) => ({ ja: trimmedValue(fields.ja), en: trimmedValue(fields.en) })),
      )}
      required={LANGS.every((lang) => trimmedValue(names[lang]) === "")}
      summary={(lang) => trimmedValue(names[lang])}
      hasError={(lang) => nameErrors(lang).length > 0 || (details?.[lang].errors ?? []).length > 0}
      render={(lang, required) => (
        <>
          <TextField
            {...fieldProps(names[lang])}
            error={nameErrors(lang)}
            label={label(nameLabel, lang)}
            lang={lang}
            maxCharacters={EVENT_NAME_MAX}
            autoComplete="off"
            required={required}
          />
          {details && (
            <TextArea
              {...fieldProps(details[lang])}
              label={label(t("events:detail"), lang)}
              hint={t("events:detailHint")}
              lang={lang}
              maxCharacters={EVENT_DETAIL_MAX}
              rows={5}
            />
          )}
        </>
      )}
    />
  );
}
