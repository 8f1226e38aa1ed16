import { createContext, type ReactNode, useContext } from "react";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { TextField } from "~/components/fields/text-field";
import { Icon } from "~/components/icon";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { useContentField } from "../content/content-field";

const LANGUAGES: readonly Lang[] = ["ja", "en"];

export interface LanguageFieldsProps {
  readonly isMissing: (lang: Lang) => boolean;
  /** Text about a language that is missing and in which the event is not offered. */
  readonly missingState?: string;
  /** Current value of a language, in short. */
  readonly state: (lang: Lang) => string;
  /** Whether a field of a language has an error. */
  readonly isWrong: (lang: Lang) => boolean;
  /** @param required neither language has it yet */
  readonly render: (lang: Lang, required: boolean) => ReactNode;
}

/** The fields of the page's language, and those of the other one in a group that opens. An empty language has a mark. */
export function LanguageFields({ isMissing, missingState, state, isWrong, render }: LanguageFieldsProps) {
  const { t, language } = useTranslation();
  const none = LANGUAGES.every(isMissing);
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {isMissing(language) && !none && <MissingMark lang={language} />}
        {render(language, none)}
      </div>
      <FieldDetailsList>
        {LANGUAGES.filter((lang) => lang !== language).map((lang) => (
          <FieldDetails
            key={lang}
            name={`language-${lang}`}
            title={t(`shared-owners:languages.${lang}`)}
            state={isMissing(lang) ? <MissingMark lang={lang} fallback={missingState} /> : state(lang)}
            isWrong={isWrong(lang)}
          >
            {render(lang, false)}
          </FieldDetails>
        ))}
      </FieldDetailsList>
    </>
  );
}

/** The title in both languages, each with the text that belongs to it. */
export function TitledFields({
  field,
  label,
  titleMax,
  titles,
  textName,
  text,
}: {
  readonly field: ReturnType<typeof useContentField>;
  readonly label: (lang: Lang) => string;
  readonly titleMax: number;
  readonly titles: Readonly<Record<`title.${Lang}`, string>>;
  /** Name of the text's field, without its language. */
  readonly textName: string;
  readonly text: (lang: Lang) => ReactNode;
}) {
  return (
    <LanguageFields
      isMissing={(lang) => titles[`title.${lang}`].trim() === ""}
      state={(lang) => titles[`title.${lang}`]}
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
const OfferedLanguages = createContext(LANGUAGES);
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
