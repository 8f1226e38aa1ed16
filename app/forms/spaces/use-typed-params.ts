import { useEffect, useRef, useState } from "react";
import { setNativeValue } from "~/components/fields/set-native-value";
import { hasSameParams, previewUrlParams, type TypedUrlParams } from "~/domain/events/url-param-form";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import type { UrlParams } from "~/domain/shared/model";
import { readEventForm, readTypedForm } from "../shared/event-form-data";

/** Time without a change before the preview is updated, in milliseconds, because each update reloads the showcase. */
const PREVIEW_DELAY_MS = 600;

const NO_ERRORS: ReturnType<typeof previewUrlParams>["errors"] = {};

/** Returns the fields of URL parameters inside an element. */
const controlsIn = (root: HTMLElement | null): HTMLInputElement[] => [
  ...(root?.querySelectorAll<HTMLInputElement>('[name^="urlParams."], [name^="extraParams["]') ?? []),
];

interface TypedParamsInput {
  readonly definitions: UrlParamDefinitions;
  /** Parameters with which the form was rendered. */
  readonly rendered: TypedUrlParams;
  readonly saved: TypedUrlParams;
  /** Called after a pause with the valid parameters; with null when they equal the saved ones, and when the fields are removed. */
  readonly onTyped?: (values: UrlParams | null) => void;
}

/** Tracks the fields of URL parameters inside the element with the returned ref. */
export function useTypedParams({ definitions, rendered, saved, onTyped }: TypedParamsInput) {
  const root = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState(rendered);
  const [errors, setErrors] = useState(NO_ERRORS);
  const read = () => {
    const form = root.current?.closest("form");
    if (!form) return;
    const { urlParams, extraParams } = readEventForm(readTypedForm(form));
    setTyped((previous) => {
      const next = { urlParams, extraParams };
      return JSON.stringify(previous) === JSON.stringify(next) ? previous : next;
    });
  };
  // The user may have typed into the fields before the scripts ran.
  useEffect(read, []);
  const latest = useRef({ definitions, saved });
  latest.current = { definitions, saved };
  useEffect(() => {
    const timer = setTimeout(() => {
      const result = previewUrlParams(latest.current.definitions, typed);
      setErrors(result.errors);
      onTyped?.(hasSameParams(typed, latest.current.saved) ? null : result.values);
    }, PREVIEW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, onTyped]);
  useEffect(() => () => onTyped?.(null), [onTyped]);
  /** Sets the text of each field to the result of `textOf`. */
  const fill = (textOf: (name: string) => string) => {
    for (const control of controlsIn(root.current)) {
      const text = textOf(control.name);
      if (control.value !== text || control.validity.badInput) setNativeValue(control, text);
    }
  };
  /** Returns the current text of each field by its name. */
  const texts = () => new Map(controlsIn(root.current).map(({ name, value }) => [name, value]));
  return { root, typed, errors, read, fill, texts };
}
