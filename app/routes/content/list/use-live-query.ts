import { useLocation, useNavigate, useSearchParams } from "@remix-run/react";
import { type FormEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";

/** Pause of typing after which the URL is updated, in milliseconds, so that the whole page is not rendered for each letter. */
const PAUSE_MS = 200;

/** URL of a query, without empty fields. */
export function queryHref(fields: Iterable<readonly [string, unknown]>): string {
  const nonEmpty = [...fields].flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value] as [string, string]] : [],
  );
  return `?${new URLSearchParams(nonEmpty)}`;
}

/** Calls `onPause` after a pause of typing, but not while an input method is composing a word. `typed` must be called at each input. */
export function createPause(onPause: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const onTyped = (isComposing: boolean) => {
    stop();
    if (!isComposing) timer = setTimeout(onPause, PAUSE_MS);
  };
  return { typed: onTyped, stop };
}

/** State of a history entry that typing has created. */
const TYPED_STATE = { typed: true };

/** Parameter of the copy dialog, which covers the list. */
const DIALOG_PARAM = "copy";

/** Whether two URLs show the same list, and only one of them opens the dialog over it. */
export function differsOnlyInDialog(a: URLSearchParams, b: URLSearchParams): boolean {
  const withoutDialog = (searchParams: URLSearchParams) =>
    `${[...searchParams].filter(([name]) => name !== DIALOG_PARAM)}`;
  return a.has(DIALOG_PARAM) !== b.has(DIALOG_PARAM) && withoutDialog(a) === withoutDialog(b);
}

/**
 * Returns the query of the list: the typed text immediately, or else the query of the URL. The URL is updated only at the next pause, because
 * the whole page is rendered with it.
 * @returns `selectionKey` changes when the list's selection must be discarded
 */
export function useTypedQuery() {
  const [searchParams] = useSearchParams();
  const { key, state } = useLocation();
  const currentHref = `?${searchParams}`;
  const [typedQuery, setTypedQuery] = useState<{ readonly baseHref: string; readonly href: string } | null>(
    null,
  );
  // If the URL was changed by something other than typing, the typed text is outdated.
  const displayedHref =
    typedQuery && (typedQuery.baseHref === currentHref || typedQuery.href === currentHref)
      ? typedQuery.href
      : currentHref;
  const query = useMemo(() => new URLSearchParams(displayedHref), [displayedHref]);
  const onTyped = useCallback(
    (href: string) => setTypedQuery({ baseHref: currentHref, href }),
    [currentHref],
  );
  // The selection key stays the same while the user types, and while a dialog about the selected rows is open, so that they stay selected.
  const historyEntry = useRef({ key, searchParams, selectionKey: key });
  const previousEntry = historyEntry.current;
  if (previousEntry.key !== key) {
    const isTyped = (state as typeof TYPED_STATE | null)?.typed === true;
    const keepsSelection = isTyped || differsOnlyInDialog(previousEntry.searchParams, searchParams);
    historyEntry.current = {
      key,
      searchParams,
      selectionKey: keepsSelection ? previousEntry.selectionKey : key,
    };
  }
  return { query, onTyped, selectionKey: historyEntry.current.selectionKey };
}

/**
 * Returns props of a GET form that, with scripts, writes the typed text to the URL and replaces the history entry. The fields keep the focus and their
 * text; when something else changes the URL, the fields are updated.
 * @param onTyped called with the URL immediately, except while an input method is composing
 */
export function useLiveQuery(values: Readonly<Record<string, string>>, onTyped: (href: string) => void) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const [searchParams] = useSearchParams();
  const currentHref = `?${searchParams}`;
  /** URL that the fields represent. */
  const fieldsHref = useRef(currentHref);
  const applyQuery = () => {
    pause.stop();
    if (!form.current) return;
    fieldsHref.current = queryHref(new FormData(form.current));
    onTyped(fieldsHref.current);
    navigate(fieldsHref.current, { replace: true, preventScrollReset: true, state: TYPED_STATE });
  };
  const handleInput = (isComposing: boolean) => {
    if (!isComposing && form.current) onTyped(queryHref(new FormData(form.current)));
    pause.typed(isComposing);
  };
  const latestApply = useRef(applyQuery);
  latestApply.current = applyQuery;
  const [pause] = useState(() => createPause(() => latestApply.current()));
  const serialized = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for text that was typed before hydration
  useEffect(() => {
    const formData = new FormData(form.current ?? undefined);
    if (Object.entries(values).some(([name, value]) => (formData.get(name) ?? "") !== value)) applyQuery();
    return pause.stop;
  }, []);
  useEffect(() => {
    if (currentHref === fieldsHref.current || !form.current) return;
    pause.stop();
    fieldsHref.current = currentHref;
    for (const [name, value] of Object.entries(JSON.parse(serialized) as Record<string, string>)) {
      const field = form.current.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
      if (field && field.value !== value) field.value = value;
    }
  }, [currentHref, serialized, pause]);
  /** Handler of a link to the list without a query: empties the fields and discards the pending URL of the typed text. */
  const onClear = ({ metaKey, ctrlKey, shiftKey }: MouseEvent) => {
    if (metaKey || ctrlKey || shiftKey || !form.current) return;
    pause.stop();
    for (const name of Object.keys(values)) {
      const field = form.current.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
      if (field) field.value = "";
    }
    fieldsHref.current = queryHref(new FormData(form.current));
    onTyped(fieldsHref.current);
  };
  const formProps = {
    ref: form,
    onInput: ({ nativeEvent }: FormEvent) => handleInput((nativeEvent as InputEvent).isComposing === true),
    onCompositionEnd: () => handleInput(false),
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      applyQuery();
    },
  };
  return { form: formProps, onClear };
}
