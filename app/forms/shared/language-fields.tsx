import { createContext, type ReactNode, useContext } from "react";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { TextField } from "~/components/fields/text-field";
import { Icon } from "~/components/icon";
import { LANGS } from "~/domain/shared/lang";
import { missingLanguages } from "~/domain/shared/localized";
import type { Lang, Localized } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { useContentField } from "../content/content-field";

export interface LanguageFieldsProps {
  /** Languages in which a text is missing. */
  readonly missing: readonly Lang[];
  /** Whether one of the languages must be filled in, and none is. */
  readonly required?: boolean;
  /** Text about a language without texts in which the event is not offered. */
  readonly missingState?: string;
  /** Current value of a language, in short. */
  readonly state: (lang: Lang) => string;
  /** Whether a field of a language has an error. */
  readonly isWrong: (lang: Lang) => boolean;
  /** @param required whether the fields must be filled in */
  readonly render: (lang: Lang, required: boolean) => ReactNode;
}

/** The fields of the page's language, and those of the other one in a group that opens. An empty language has a mark. */
export function LanguageFields({
  missing,
  required = false,
  missingState,
  state,
  isWrong,
  render,
}: LanguageFieldsProps) {
  const { t, language } = useTranslation();
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {missing.includes(language) && <MissingMark lang={language} />}
        {render(language, required)}
      </div>
      <FieldDetailsList>
        {LANGS.filter((lang) => lang !== language).map((lang) => (
          <FieldDetails
            key={lang}
            name={`language-${lang}`}
            title={t(`shared-owners:languages.${lang}`)}
            state={
              missing.includes(lang) ? (
                <MissingMark lang={lang} fallback={missingState} />
              ) : (
                state(lang) || missingState
              )
            }
            isWrong={isWrong(lang)}
          >
            {render(lang, false)}
          </FieldDetails>
        ))}
      </FieldDetailsList>
    </>
  );
}

/** The texts of a field in each language, among the input of a form. */
export const localizedInput = <Name extends string>(
  input: Readonly<Record<`${Name}.${Lang}`, string>>,
  name: Name,
): Localized => ({ ja: input[`${name}.ja`], en: input[`${name}.en`] });

/** The title in both languages, each with the text that belongs to it. */
export function TitledFields<TextName extends string>({
  field,
  label,
  titleMax,
  input,
  textName,
  text,
}: {
  readonly field: ReturnType<typeof useContentField>;
  readonly label: (lang: Lang) => string;
  readonly titleMax: number;
  readonly input: Readonly<Record<`title.${Lang}` | `${TextName}.${Lang}`, string>>;
  /** Name of the text's field, without its language. */
  readonly textName: TextName;
  readonly text: (lang: Lang) => ReactNode;
}) {
  const title = localizedInput(input, "title");
  return (
    <LanguageFields
      missing={missingLanguages(title, localizedInput(input, textName))}
      required={LANGS.every((lang) => title[lang].trim() === "")}
      state={(lang) => title[lang]}
      isWrong={(lang) => ["title", textName].some((name) => field(`${name}.${lang}`).error.length > 0)}
      render={(lang, required) => (
        <>
          <TextField
            {...field(`title.${lang}`)}
            label={label(lang)}
            maxCharacters={titleMax}
            autoComplete="off"
            lang={lang}
            required={required}
          />
          {text(lang)}
        </>
      )}
    />
  );
}

/** The languages in which the event is offered; every language elsewhere. */
const OfferedLanguages = createContext(LANGS);
export const OfferedLanguagesProvider = OfferedLanguages.Provider;

/** Says that a language is missing in which the event is offered. */
export function MissingMark({
  lang,
  fallback = null,
}: {
  readonly lang: Lang;
  /** Shown instead if the event is not offered in this language. */
  readonly fallback?: ReactNode;
}) {
  const { t } = useTranslation();
  if (!useContext(OfferedLanguages).includes(lang)) return fallback;
  return (
    <span className="inline-flex items-center gap-1 text-xs font-normal text-warning">
      <Icon name="warning" size={16} />
      {t(`shared-owners:missing.${lang}`)}
    </span>
  );
}
