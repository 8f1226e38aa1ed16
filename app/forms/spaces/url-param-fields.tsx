import { type ReactNode, useRef, useState } from "react";
import { Button, IconButton } from "~/components/button";
import { cx } from "~/components/cx";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { setNativeValue } from "~/components/fields/set-native-value";
import { TextField } from "~/components/fields/text-field";
import { OutsideLink } from "~/components/outside-link";
import { Notice } from "~/components/status/notice";
import { useHydrated } from "~/components/use-hydrated";
import {
  filledParams,
  hasSameParams,
  PREVIEW_PARAMS,
  paramIntent,
  type TypedUrlParams,
} from "~/domain/events/url-param-form";
import { groupParams } from "~/domain/events/url-param-groups";
import type { UrlParamDefinition, UrlParamDefinitions } from "~/domain/events/url-params";
import type { UrlParams } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useMessage } from "../shared/user-message";
import { useTypedParams } from "./use-typed-params";

/** Preview of unsaved URL parameters beside the form. */
export interface UrlParamPreview {
  /** Shows these parameters, or the saved ones for null. The function must be the same in each render. */
  readonly onTyped: (values: UrlParams | null) => void;
  /** Shows the space, if the user has hidden it. Absent while the space is visible. */
  readonly onShow?: () => void;
}

export interface UrlParamFieldsProps {
  /** Id of the form, which is the prefix of the fields' ids. */
  readonly id: string;
  readonly definitions: UrlParamDefinitions;
  /** Whether the space is a Matterport showcase. Only showcases use URL parameters. */
  readonly isShowcase: boolean;
  /** Parameters with which the form was rendered: the typed ones after a submission without a save, otherwise the saved ones. */
  readonly rendered: TypedUrlParams;
  readonly saved: TypedUrlParams;
  readonly errors: Readonly<Record<string, string[]>>;
  /** Absent when there is no space beside the form. */
  readonly preview?: UrlParamPreview;
  /** URL of the showcase with the typed parameters, if a form without scripts requested it. */
  readonly previewHref?: string | null;
}

/** Returned values can be anything that a client has posted, so only strings are shown again. */
const toText = (value: unknown) => (typeof value === "string" ? value : "");

/** Number of empty rows for further parameters that are not in the list. */
const BLANK_ROWS = 2;

/** Returns a function that formats a parameter's value with its meaning, or the default for null. */
export function useFormatParam() {
  const { t, language } = useTranslation();
  const formatValue = (definition: UrlParamDefinition | null, value: string) => {
    const meaning = definition?.labels?.[value]?.[language];
    return meaning ? `${value} – ${meaning}` : value;
  };
  return (definition: UrlParamDefinition | null, value: string | null): string => {
    if (value !== null) return formatValue(definition, value);
    const defaultValue = definition?.default ?? null;
    return defaultValue === null
      ? t("events:urlParamDefaultNone")
      : t("events:urlParamDefault", { value: formatValue(definition, String(defaultValue)) });
  };
}

/** Fields for URL parameters (specification §2): a number field for numbers, and a list for fixed values. Empty means the showcase's default. */
export function UrlParamFields(props: UrlParamFieldsProps) {
  const { id, definitions, isShowcase, rendered, saved, preview, previewHref = null } = props;
  const { t } = useTranslation();
  const message = useMessage();
  const hydrated = useHydrated();
  const { root, typed, errors, read, fill, texts } = useTypedParams({
    definitions,
    rendered,
    saved,
    onTyped: isShowcase ? preview?.onTyped : undefined,
  });
  /** The fields' texts from before the reset of all parameters, by field name; null unless all parameters were reset. */
  const [textsBeforeReset, setTextsBeforeReset] = useState<ReadonlyMap<string, string> | null>(null);
  const listErrors = (name: string) => (props.errors[name] ?? errors[name])?.map(message);
  // A group opens for the errors of a submitted form. Errors that appear while the user types are in an open group.
  const hasError = Object.keys(props.errors).some((name) => /^(urlParams|extraParams)/.test(name));
  // The values of a returned form lack blank rows. Their indexes are kept, because messages refer to rows by index.
  const givenRows = Array.from(Array.isArray(rendered.extraParams) ? rendered.extraParams : [], (row) => ({
    name: toText(row?.name),
    value: toText(row?.value),
  }));
  const blankCount = Math.max(0, BLANK_ROWS - givenRows.filter((row) => !row.name && !row.value).length);
  const rows = [...givenRows, ...Array.from({ length: blankCount }, () => ({ name: "", value: "" }))];
  const count = filledParams(typed).length;
  const countText = (size: number) => (size > 0 ? t("events:urlParamsChosen", { count: size }) : "");
  const isReset = count === 0 && (textsBeforeReset !== null || filledParams(saved).length > 0);
  const resetOrUndoAll = () => {
    if (!isReset) {
      setTextsBeforeReset(texts());
      fill(() => "");
      return;
    }
    setTextsBeforeReset(null);
    fill((name) => textsBeforeReset?.get(name) ?? savedText(saved, name));
  };
  /** Without scripts, the new page scrolls to the parameters. */
  const submitProps = hydrated
    ? {}
    : { type: "submit" as const, formNoValidate: true, formAction: `#${id}-params` };
  return (
    <FieldDetailsList>
      <FieldDetails
        // The browser stores by name which groups were opened. Parameters without effect have a name of their own, so that their group stays closed.
        name={isShowcase ? "url-params" : "url-params-without-effect"}
        title={t("events:urlParams")}
        summary={isShowcase ? countText(count) : t("events:urlParamsNoEffect")}
        hasError={hasError}
        startsOpen={previewHref !== null || !hasSameParams(rendered, saved)}
      >
        <div
          ref={root}
          id={`${id}-params`}
          tabIndex={-1}
          onInput={read}
          onChange={read}
          className="grid scroll-mt-40 gap-5 outline-none"
        >
          {isShowcase ? (
            <div className="grid gap-1 text-xs text-muted text-phrase">
              <p>{t("events:urlParamsHint")}</p>
              {preview && hydrated && <p>{t("events:urlParamsLive")}</p>}
            </div>
          ) : (
            <Notice>{t("events:urlParamsOnlyShowcase")}</Notice>
          )}
          <div className="-mt-3 -ml-3 flex flex-wrap gap-x-2 empty:hidden">
            {(count > 0 || isReset || !hydrated) && (
              <Button
                variant="quiet"
                icon="undo"
                name="intent"
                value={paramIntent(isReset ? "undo" : "reset")}
                onClick={hydrated ? resetOrUndoAll : undefined}
                {...submitProps}
              >
                {isReset ? t("events:urlParamsUndo") : t("events:urlParamsResetAll")}
              </Button>
            )}
            {isShowcase && !hydrated && (
              <Button variant="quiet" icon="eye" name="intent" value={PREVIEW_PARAMS} {...submitProps}>
                {t("events:urlParamsPreview")}
              </Button>
            )}
            {isShowcase && hydrated && preview?.onShow && (
              <Button
                variant="quiet"
                icon="eye"
                className="lg:hidden landscape:hidden"
                onClick={preview.onShow}
              >
                {t("events:urlParamsPreview")}
              </Button>
            )}
          </div>
          {previewHref && !hydrated && (
            <Notice tone="success" live>
              <p>{t("events:urlParamsPreviewReady")}</p>
              <OutsideLink href={previewHref}>{t("events:urlParamsPreviewOpen")}</OutsideLink>
            </Notice>
          )}
          <FieldDetailsList>
            {groupParams(definitions.availableParams).map(({ group, names }, index) => {
              const filledCount = names.filter((name) => toText(typed.urlParams?.[name])).length;
              return (
                <FieldDetails
                  key={group}
                  name={`url-params-${group}`}
                  title={t(`events:urlParamGroups.${group}`)}
                  summary={countText(filledCount)}
                  hasError={names.some((name) => props.errors[`urlParams.${name}`])}
                  startsOpen={filledCount > 0 || index === 0}
                >
                  {names.map((name) => {
                    const definition = definitions.params[name];
                    return definition ? (
                      <ParamField
                        key={name}
                        id={`${id}-urlParams.${name}`}
                        name={name}
                        definition={definition}
                        rendered={toText(rendered.urlParams?.[name])}
                        typed={toText(typed.urlParams?.[name])}
                        saved={toText(saved.urlParams?.[name])}
                        error={listErrors(`urlParams.${name}`)}
                      />
                    ) : null;
                  })}
                </FieldDetails>
              );
            })}
          </FieldDetailsList>
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
                  error={listErrors(`extraParams[${index}].name`) ?? listErrors(`extraParams[${index}]`)}
                  autoComplete="off"
                  spellCheck={false}
                />
                <TextField
                  name={`extraParams[${index}].value`}
                  id={`${id}-extraParams[${index}].value`}
                  label={t("events:otherParamValue", { number: index + 1 })}
                  defaultValue={row.value}
                  error={listErrors(`extraParams[${index}].value`)}
                  autoComplete="off"
                  spellCheck={false}
                />
              </div>
            ))}
          </fieldset>
        </div>
      </FieldDetails>
    </FieldDetailsList>
  );
}

/** Returns the saved text of a field. */
function savedText({ urlParams, extraParams }: TypedUrlParams, field: string): string {
  const row = /^extraParams\[(\d+)\]\.(name|value)$/.exec(field);
  if (row) return toText(extraParams?.[Number(row[1])]?.[row[2] as "name" | "value"]);
  return toText(urlParams?.[field.slice("urlParams.".length)]);
}

interface ParamFieldProps {
  readonly id: string;
  readonly name: string;
  readonly definition: UrlParamDefinition;
  /** The value with which the field was rendered. */
  readonly rendered: string;
  /** Current value. */
  readonly typed: string;
  readonly saved: string;
  readonly error?: string[];
}

function ParamField({ id, name, definition, rendered, typed, saved, error }: ParamFieldProps) {
  const { t, language } = useTranslation();
  const formatParam = useFormatParam();
  const hydrated = useHydrated();
  const row = useRef<HTMLDivElement>(null);
  const [valueBeforeReset, setValueBeforeReset] = useState("");
  const { type, min, max, unit } = definition;
  const label = definition.descriptions[language];
  const hint: ReactNode = (
    <>
      <code>{name}</code>
      {min !== undefined && max !== undefined && <span className="tabular-nums">{` (${min}…${max})`}</span>}
    </>
  );
  const commonProps = { id, name: `urlParams.${name}`, label, hint, error, className: "flex-1" };
  const undoValue = valueBeforeReset || saved;
  const isReset = typed === "" && undoValue !== "";
  const resetOrUndo = () => {
    const control = row.current?.querySelector<HTMLInputElement>("input, select");
    if (!control) return;
    if (!isReset) setValueBeforeReset(control.value);
    setNativeValue(control, isReset ? undoValue : "");
    control.focus();
  };
  return (
    <div ref={row} className="group/param flex items-end gap-1">
      {typeof type === "string" ? (
        <NumberField
          {...commonProps}
          defaultValue={rendered}
          min={min}
          max={max}
          step={definition.step ?? (type === "integer" ? 1 : "any")}
          unit={unit}
          placeholder={formatParam(definition, null)}
        />
      ) : (
        <SelectField
          {...commonProps}
          defaultValue={rendered}
          options={[
            { value: "", label: formatParam(definition, null) },
            // A value that is not in the list is kept as an option, so that its error is shown beside it.
            ...[...type, ...(rendered === "" || type.includes(rendered) ? [] : [rendered])].map((choice) => ({
              value: choice,
              label: formatParam(definition, choice),
            })),
          ]}
        />
      )}
      <IconButton
        icon={isReset ? "undo" : "close"}
        label={isReset ? t("events:urlParamUndo", { name }) : t("events:urlParamReset", { name })}
        name="intent"
        value={paramIntent(isReset ? "undo" : "reset", name)}
        onClick={hydrated ? resetOrUndo : undefined}
        {...(!hydrated && { type: "submit", formNoValidate: true, formAction: `#${id}` })}
        className={cx(
          // Aligns the button with the field when an error is below it.
          error && "mb-7.5",
          !isReset &&
            "group-has-[input:placeholder-shown]/param:invisible group-has-[option[value='']:checked]/param:invisible",
        )}
      />
    </div>
  );
}
