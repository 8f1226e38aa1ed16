import type { ReactNode } from "react";
import { TextField } from "~/components/fields/text-field";
import { Icon } from "~/components/icon";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { useContentField } from "../content/content-field";

const LANGUAGES: readonly Lang[] = ["ja", "en"];

/** The fields of both languages, the page's language first. An empty language has a mark. */
export function LanguageFields({
  isMissing,
  render,
}: {
  readonly isMissing: (lang: Lang) => boolean;
  /** @param required neither language has it yet */
  readonly render: (lang: Lang, required: boolean) => ReactNode;
}) {
  const { t, language } = useTranslation();
  const order = [...LANGUAGES].sort((a, b) => Number(b === language) - Number(a === language));
  const none = LANGUAGES.every(isMissing);
  return (
    <>
      {order.map((lang) => (
        <fieldset key={lang} className="grid gap-4">
          <legend className="mb-2 flex items-center gap-3 text-base font-semibold">
            {t(`shared-owners:languages.${lang}`)}
            {isMissing(lang) && <MissingMark lang={lang} />}
          </legend>
          {render(lang, none && lang === order[0])}
        </fieldset>
      ))}
    </>
  );
}

/** The title in both languages, each with the text that belongs to it. */
export function TitledFields({
  field,
  label,
  titleMax,
  titles,
  text,
}: {
  readonly field: ReturnType<typeof useContentField>;
  readonly label: (lang: Lang) => string;
  readonly titleMax: number;
  readonly titles: Readonly<Record<`title.${Lang}`, string>>;
  readonly text: (lang: Lang) => ReactNode;
}) {
  return (
    <LanguageFields
      isMissing={(lang) => titles[`title.${lang}`].trim() === ""}
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

/** Says that a language is missing. */
export function MissingMark({ lang }: { readonly lang: Lang }) {
  const { t } = useTranslation();
  return (
    <span className="inline-flex items-center gap-1 text-xs font-normal text-warning">
      <Icon name="warning" size={16} />
      {t(`shared-owners:missing.${lang}`)}
    </span>
  );
}
