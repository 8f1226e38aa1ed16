import { useEffect, useRef, useState } from "react";
import { setNativeValue } from "~/components/fields/native-value";
import { hasSameParams, previewUrlParams, type TypedUrlParams } from "~/domain/events/url-param-form";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import type { UrlParams } from "~/domain/shared/model";
import { readEventForm, readTypedForm } from "../shared/event-form-data";

/** Milliseconds without another change after which the preview follows: a showcase loads again for each. */
const QUIET_MS = 600;

const NO_ERRORS: ReturnType<typeof previewUrlParams>["errors"] = {};

/** The fields of URL parameters below an element. */
const controlsIn = (root: HTMLElement | null): HTMLInputElement[] => [
  ...(root?.querySelectorAll<HTMLInputElement>('[name^="urlParams."], [name^="extraParams["]') ?? []),
];

interface TypedParamsInput {
  readonly definitions: UrlParamDefinitions;
  /** The parameters as the form was rendered. */
  readonly rendered: TypedUrlParams;
  readonly saved: TypedUrlParams;
  /** Called after a pause with the valid parameters; with null when they are the saved ones, and when the fields are removed. */
  readonly onTyped?: (values: UrlParams | null) => void;
}

/** Follows the fields of URL parameters inside the element with the returned ref. */
export function useTypedParams({ definitions, rendered, saved, onTyped }: TypedParamsInput) {
  const root = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState(rendered);
  const [errors, setErrors] = useState(NO_ERRORS);
  const read = () => {
    const form = root.current?.closest("form");
    if (!form) return;
    const { urlParams, extraParams } = readEventForm(readTypedForm(form));
    setTyped((before) => {
      const next = { urlParams, extraParams };
      return JSON.stringify(before) === JSON.stringify(next) ? before : next;
    });
  };
  // The fields may have been filled before the scripts ran.
  useEffect(read, []);
  const latest = useRef({ definitions, saved });
  latest.current = { definitions, saved };
  useEffect(() => {
    const timer = setTimeout(() => {
      const result = previewUrlParams(latest.current.definitions, typed);
      setErrors(result.errors);
      onTyped?.(hasSameParams(typed, latest.current.saved) ? null : result.values);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed, onTyped]);
  useEffect(() => () => onTyped?.(null), [onTyped]);
  /** Puts the text that `textOf` returns into each field. */
  const fill = (textOf: (name: string) => string) => {
    for (const control of controlsIn(root.current)) {
      const text = textOf(control.name);
      if (control.value !== text || control.validity.badInput) setNativeValue(control, text);
    }
  };
  /** Returns the present text of each field by its name. */
  const texts = () => new Map(controlsIn(root.current).map(({ name, value }) => [name, value]));
  return { root, typed, errors, read, fill, texts };
}
