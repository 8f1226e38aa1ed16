import { useLocation } from "@remix-run/react";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { TextField } from "~/components/fields/text-field";
import { Icon } from "~/components/icon";
import { LANGS } from "~/domain/shared/lang";
import { missingLanguages } from "~/domain/shared/localized";
import type { Lang, Localized } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { useContentField } from "../content/content-field";

export interface LanguageFieldsProps {
  /** Languages whose text is missing. */
  readonly missing: readonly Lang[];
  /** Whether the fields of the page's language are required: a text in one of the languages is needed, and all are empty. */
  readonly required?: boolean;
  /** Summary for a language without texts, unless MissingMark shows a warning. */
  readonly missingSummary?: string;
  /** Returns the current value in a language, or a short text about it. */
  readonly summary: (lang: Lang) => string;
  /** Whether a field in a language has an error. */
  readonly hasError: (lang: Lang) => boolean;
  /** Renders the fields of a language. @param required whether the fields are required */
  readonly render: (lang: Lang, required: boolean) => ReactNode;
}

/** Fields of the page's language, and those of the other language in a group that can be opened. A language without text is marked. */
export function LanguageFields({
  missing,
  required = false,
  missingSummary,
  summary,
  hasError,
  render,
}: LanguageFieldsProps) {
  const { t, language } = useTranslation();
  useFocusNamedField();
  return (
    <>
      <div className="grid grid-cols-1 gap-4">
        {missing.includes(language) && <MissingMark lang={language} />}
        {render(language, required)}
      </div>
      <FieldDetailsList>
        {LANGS.filter((lang) => lang !== language).map((lang) => (
          <FieldDetails
            key={lang}
            name={`language-${lang}`}
            title={t(`shared-owners:languages.${lang}`)}
            summary={
              missing.includes(lang) ? (
                <MissingMark lang={lang} fallback={missingSummary} />
              ) : (
                summary(lang) || missingSummary
              )
            }
            hasError={hasError(lang)}
          >
            {render(lang, false)}
          </FieldDetails>
        ))}
      </FieldDetailsList>
    </>
  );
}

/** Focuses the text field that the fragment of the URL names, and opens its group. A field in which the user types keeps the focus. */
function useFocusNamedField() {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link to the same field may be followed again
  useEffect(() => {
    const field = document.getElementById(hash.slice(1));
    if (!field?.lang || document.activeElement?.matches("input, textarea, select")) return;
    field.closest("details")?.setAttribute("open", "");
    field.focus();
  }, [hash, key]);
}

/** Returns the texts of a field in each language from the input of a form. */
export const localizedInput = <Name extends string>(
  input: Readonly<Record<`${Name}.${Lang}`, string>>,
  name: Name,
): Localized => ({ ja: input[`${name}.ja`], en: input[`${name}.en`] });

/** Title fields in both languages, each with another text field of the same language. */
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
  /** Name of that text field, without the language. */
  readonly textName: TextName;
  readonly text: (lang: Lang) => ReactNode;
}) {
  const title = localizedInput(input, "title");
  return (
    <LanguageFields
      missing={missingLanguages(title, localizedInput(input, textName))}
      required={LANGS.every((lang) => title[lang].trim() === "")}
      summary={(lang) => title[lang]}
      hasError={(lang) => ["title", textName].some((name) => field(`${name}.${lang}`).error.length > 0)}
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

/** Languages in which the event is available. Outside of an event, these are all languages. */
const OfferedLanguages = createContext(LANGS);
export const OfferedLanguagesProvider = OfferedLanguages.Provider;

/** Marks a language whose text is missing although the event is available in it. */
export function MissingMark({
  lang,
  fallback = null,
}: {
  readonly lang: Lang;
  /** Content when the event is not available in this language. */
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
