import { useLocation, useNavigate, useSearchParams } from "@remix-run/react";
import { type FormEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";

/** Pause of typing after which the list follows, in milliseconds, so that the letters of a word do not each create a history entry. */
const PAUSE_MS = 200;

/** Address of a query, without empty fields. */
export function queryHref(fields: Iterable<readonly [string, unknown]>): string {
  const said = [...fields].flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value] as [string, string]] : [],
  );
  return `?${new URLSearchParams(said)}`;
}

/** Calls `call` after a pause of typing, but not while an input method is composing a word. */
export function createPause(call: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const typed = (isComposing: boolean) => {
    stop();
    if (!isComposing) timer = setTimeout(call, PAUSE_MS);
  };
  return { typed, stop };
}

/** State of a location that typing has created. */
const TYPED = { typed: true };

/** Parameter of the copy dialog, which covers the list. */
const QUESTION = "copy";

/** Whether two addresses differ only in the dialog over the list, which only one of them opens. */
export function isSameList(one: URLSearchParams, other: URLSearchParams): boolean {
  const behind = (search: URLSearchParams) => `${[...search].filter(([name]) => name !== QUESTION)}`;
  return one.has(QUESTION) !== other.has(QUESTION) && behind(one) === behind(other);
}

/**
 * Returns the query of the list: the typed one immediately, otherwise the one of the address. The address follows at the next pause, because the
 * whole page follows it.
 */
export function useTypedQuery() {
  const [search] = useSearchParams();
  const { key, state } = useLocation();
  const here = `?${search}`;
  const [typed, setTyped] = useState<{ readonly from: string; readonly href: string } | null>(null);
  // The address was changed by something other than typing, so it takes precedence.
  const now = typed && (typed.from === here || typed.href === here) ? typed.href : here;
  const params = useMemo(() => new URLSearchParams(now), [now]);
  const onTyped = useCallback((href: string) => setTyped({ from: here, href }), [here]);
  // Selected rows of a list stay selected while the user types, and under a dialog about them.
  const visit = useRef({ key, search, first: key });
  const last = visit.current;
  if (last.key !== key) {
    const isTyped = (state as typeof TYPED | null)?.typed === true;
    const stays = isTyped || isSameList(last.search, search);
    visit.current = { key, search, first: stays ? last.first : key };
  }
  return { asked: params, onTyped, visit: visit.current.first };
}

/**
 * With scripts, a GET form whose address follows the typed text by replacing the history entry. The fields keep the focus and their text; when
 * the address is changed by something else, they follow it.
 * @param onTyped called with the address immediately, except while an input method is composing
 */
export function useLiveQuery(values: Readonly<Record<string, string>>, onTyped: (href: string) => void) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const here = `?${search}`;
  /** Address that the fields represent. */
  const own = useRef(here);
  const apply = () => {
    pause.stop();
    if (!form.current) return;
    own.current = queryHref(new FormData(form.current));
    onTyped(own.current);
    navigate(own.current, { replace: true, preventScrollReset: true, state: TYPED });
  };
  const typed = (isComposing: boolean) => {
    if (!isComposing && form.current) onTyped(queryHref(new FormData(form.current)));
    pause.typed(isComposing);
  };
  const latest = useRef(apply);
  latest.current = apply;
  const [pause] = useState(() => createPause(() => latest.current()));
  const serialized = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for text that was typed before hydration
  useEffect(() => {
    const typed = new FormData(form.current ?? undefined);
    if (Object.entries(values).some(([name, value]) => (typed.get(name) ?? "") !== value)) apply();
    return pause.stop;
  }, []);
  useEffect(() => {
    if (here === own.current || !form.current) return;
    pause.stop();
    own.current = here;
    for (const [name, value] of Object.entries(JSON.parse(serialized) as Record<string, string>)) {
      const field = form.current.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
      if (field && field.value !== value) field.value = value;
    }
  }, [here, serialized, pause]);
  /** Handler of a link to the list without a query: the pending address of the typed text is discarded. */
  const onClear = ({ metaKey, ctrlKey, shiftKey }: MouseEvent) => {
    if (metaKey || ctrlKey || shiftKey || !form.current) return;
    pause.stop();
    for (const name of Object.keys(values)) {
      const field = form.current.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
      if (field) field.value = "";
    }
    own.current = queryHref(new FormData(form.current));
    onTyped(own.current);
  };
  const props = {
    ref: form,
    onInput: ({ nativeEvent }: FormEvent) => typed((nativeEvent as InputEvent).isComposing === true),
    onCompositionEnd: () => typed(false),
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      apply();
    },
  };
  return { form: props, onClear };
}
