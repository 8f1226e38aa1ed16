import { TextArea, TextField } from "~/components/fields/text-field";
import { LANGS } from "~/domain/shared/lang";
import { EVENT_DETAIL_MAX, EVENT_NAME_MAX } from "~/domain/shared/limits";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useFieldProps } from "../shared/form-parts";
import { MissingMark } from "../shared/language-fields";

/** Conform's field of a text by language. */
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

/** Properties of the fields of a text, the page's language first. `isMissing` is set only if another language has the text. */
function useTexts(field: TextsField, label: string) {
  const { t, language } = useTranslation();
  const fieldProps = useFieldProps();
  const fields = field.getFieldset();
  const hasText = (lang: Lang) => String(fields[lang].value ?? "").trim() !== "";
  return [...LANGS]
    .sort((a, b) => Number(b === language) - Number(a === language))
    .map((lang) => ({
      lang,
      isMissing: !hasText(lang) && LANGS.some(hasText),
      props: {
        ...fieldProps(fields[lang]),
        label: t("events:inLanguage", { field: label, language: t(`shared-owners:languages.${lang}`) }),
        lang,
      },
    }));
}

/** The name of an event in each language. */
export function EventNameFields({
  field,
  label,
  takenMessages = {},
}: {
  readonly field: TextsField;
  readonly label: string;
  /** Messages about names that another event of the space has, found while the user types. */
  readonly takenMessages?: Partial<Record<Lang, string>>;
}) {
  const texts = useTexts(field, label);
  const isEmpty = texts.every(({ props, isMissing }) => !isMissing && props.defaultValue.trim() === "");
  return (
    <div className="grid gap-4">
      {texts.map(({ lang, isMissing, props }, index) => {
        const message = takenMessages[lang];
        const errors = props.error ?? [];
        return (
          <div key={lang} className="grid gap-1.5">
            <TextField
              {...props}
              error={message && !errors.includes(message) ? [...errors, message] : errors}
              maxCharacters={EVENT_NAME_MAX}
              autoComplete="off"
              required={isEmpty && index === 0}
            />
            {isMissing && <MissingMark lang={lang} />}
          </div>
        );
      })}
    </div>
  );
}

/** The details of an event in each language. */
export function EventDetailFields({ field }: { readonly field: TextsField }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      {useTexts(field, t("events:detail")).map(({ lang, isMissing, props }, index) => (
        <div key={lang} className="grid gap-1.5">
          <TextArea
            {...props}
            hint={index === 0 ? t("events:detailHint") : undefined}
            maxCharacters={EVENT_DETAIL_MAX}
            rows={5}
          />
          {isMissing && <MissingMark lang={lang} />}
        </div>
      ))}
    </div>
  );
}
