import { useRef } from "react";
import { Button, IconButton } from "~/components/button";
import { setNativeValue } from "~/components/fields/native-value";
import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { TextField } from "~/components/fields/text-field";
import { Icon } from "~/components/icon";
import { groupParams } from "~/domain/events/url-param-groups";
import type { UrlParamDefinition, UrlParamDefinitions } from "~/domain/events/url-params";
import { useTranslation } from "~/i18n/translation";
import { useMessage } from "../shared/user-message";

export interface UrlParamFieldsProps {
  /** The form's id, the prefix of the fields' ids. */
  readonly id: string;
  readonly definitions: UrlParamDefinitions;
  readonly isShowcase: boolean;
  /** Typed or saved values, by parameter name. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Parameters that the showcase does not define. */
  readonly extra: readonly ({ readonly name?: string; readonly value?: string } | undefined)[];
  readonly errors: Readonly<Record<string, string[]>>;
}

/** Returned values can be anything that a caller posted, so only strings are shown again. */
const text = (value: unknown) => (typeof value === "string" ? value : "");

/** Number of empty rows for further undefined parameters. */
const BLANK_ROWS = 2;

/** Returns a function that formats a parameter's value, or its default for null, with its meaning. */
export function useParamWords() {
  const { t, language } = useTranslation();
  const choice = (definition: UrlParamDefinition | null, value: string) => {
    const words = definition?.labels?.[value]?.[language];
    return words ? `${value} – ${words}` : value;
  };
  return (definition: UrlParamDefinition | null, value: string | null): string => {
    if (value !== null) return choice(definition, value);
    const byDefault = definition?.default ?? null;
    return byDefault === null
      ? t("events:urlParamDefaultNone")
      : t("events:urlParamDefault", { value: choice(definition, String(byDefault)) });
  };
}

/** The URL-parameter picker (§2): a number for numbers, a list for choices; empty means the showcase's own default. */
export function UrlParamFields({ id, definitions, isShowcase, values, extra, errors }: UrlParamFieldsProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const root = useRef<HTMLDetailsElement>(null);
  const wrong = Object.keys(errors).some(
    (name) => name.startsWith("urlParams") || name.startsWith("extraParams"),
  );
  // A blank row returns no values. Its index is kept, because messages name rows by index.
  const given = Array.from(Array.isArray(extra) ? extra : [], (row) => ({
    name: text(row?.name),
    value: text(row?.value),
  }));
  const set = given.filter((row) => row.name || row.value).length;
  const filled = Object.values(typeof values === "object" ? values : {}).filter(Boolean).length + set;
  const blanks = Math.max(0, BLANK_ROWS - (given.length - set));
  const rows = [...given, ...Array.from({ length: blanks }, () => ({ name: "", value: "" }))];
  const resetAll = () => {
    for (const control of root.current?.querySelectorAll<HTMLInputElement>('[name^="urlParams."]') ?? [])
      if (control.value !== "") setNativeValue(control, "");
  };
  return (
    <details ref={root} className="group/params border-y border-line" open={wrong || undefined}>
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 py-2 [&::-webkit-details-marker]:hidden">
        <span className="flex-1 text-sm font-semibold">{t("events:urlParams")}</span>
        {filled > 0 && (
          <span className="text-xs text-muted tabular-nums">
            {t("events:urlParamsChosen", { count: filled })}
          </span>
        )}
        <Icon name="chevron-down" size={16} className="text-faint group-open/params:rotate-180" />
      </summary>
      <div className="grid gap-6 pt-2 pb-6">
        <p className="text-xs text-muted text-phrase">
          {isShowcase ? t("events:urlParamsHint") : t("events:urlParamsOnlyShowcase")}
        </p>
        <Button variant="quiet" icon="undo" className="needs-script -ml-3 w-fit" onClick={resetAll}>
          {t("events:urlParamsResetAll")}
        </Button>
        {groupParams(definitions.availableParams).map(({ group, names }, index) => {
          const isWrong = names.some((name) => errors[`urlParams.${name}`]);
          const set = names.filter((name) => text(values[name])).length;
          return (
            <details key={group} open={index === 0 || isWrong || set > 0} className="group/part grid">
              <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 border-b border-line text-sm font-semibold [&::-webkit-details-marker]:hidden">
                <span className="flex-1">{t(`events:urlParamGroups.${group}`)}</span>
                {set > 0 && (
                  <span className="text-xs font-normal text-muted tabular-nums">
                    {t("events:urlParamsChosen", { count: set })}
                  </span>
                )}
                <Icon name="chevron-down" size={16} className="text-faint group-open/part:rotate-180" />
              </summary>
              <div className="grid gap-5 py-4">
                {names.map((name) => {
                  const definition = definitions.params[name];
                  return definition ? (
                    <ParamField
                      key={name}
                      id={`${id}-urlParams.${name}`}
                      name={name}
                      definition={definition}
                      value={text(values[name])}
                      error={errors[`urlParams.${name}`]?.map(message)}
                    />
                  ) : null;
                })}
              </div>
            </details>
          );
        })}
        <fieldset className="grid gap-3">
          <legend className="text-sm font-semibold">{t("events:otherParams")}</legend>
          <p className="text-xs text-muted text-phrase">{t("events:otherParamsHint")}</p>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are named by their index
            <div key={index} className="grid grid-cols-2 gap-2">
              <TextField
                name={`extraParams[${index}].name`}
                id={`${id}-extraParams[${index}].name`}
                label={t("events:otherParamName", { number: index + 1 })}
                defaultValue={row.name}
                error={(errors[`extraParams[${index}].name`] ?? errors[`extraParams[${index}]`])?.map(
                  message,
                )}
                autoComplete="off"
                spellCheck={false}
              />
              <TextField
                name={`extraParams[${index}].value`}
                id={`${id}-extraParams[${index}].value`}
                label={t("events:otherParamValue", { number: index + 1 })}
                defaultValue={row.value}
                error={errors[`extraParams[${index}].value`]?.map(message)}
                autoComplete="off"
                spellCheck={false}
              />
            </div>
          ))}
        </fieldset>
      </div>
    </details>
  );
}

interface ParamFieldProps {
  readonly id: string;
  readonly name: string;
  readonly definition: UrlParamDefinition;
  readonly value: string;
  readonly error?: string[];
}

function ParamField({ id, name, definition, value, error }: ParamFieldProps) {
  const { t, language } = useTranslation();
  const words = useParamWords();
  const row = useRef<HTMLDivElement>(null);
  const { type, min, max, unit } = definition;
  const label = definition.descriptions[language];
  const common = { id, name: `urlParams.${name}`, label, hint: <code>{name}</code>, error };
  const reset = () => {
    const control = row.current?.querySelector<HTMLInputElement>("input, select");
    if (!control) return;
    setNativeValue(control, "");
    control.focus();
  };
  return (
    <div ref={row} className="group/param flex items-end gap-1">
      {typeof type === "string" ? (
        <NumberField
          {...common}
          className="flex-1"
          defaultValue={value}
          min={min}
          max={max}
          step={definition.step ?? (type === "integer" ? 1 : "any")}
          unit={unit}
          placeholder={words(definition, null)}
        />
      ) : (
        <SelectField
          {...common}
          className="flex-1"
          defaultValue={value}
          options={[
            { value: "", label: words(definition, null) },
            ...type.map((choice) => ({ value: choice, label: words(definition, choice) })),
          ]}
        />
      )}
      <IconButton
        icon="undo"
        label={t("events:urlParamReset", { name })}
        onClick={reset}
        className="needs-script group-has-[input:placeholder-shown]/param:invisible group-has-[option[value='']:checked]/param:invisible"
      />
    </div>
  );
}
