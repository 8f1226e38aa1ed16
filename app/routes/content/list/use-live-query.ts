import { useLocation, useNavigate, useSearchParams } from "@remix-run/react";
import { type FormEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";

/** How long nobody may type before the list follows, in milliseconds: no letter of a word makes an address of its own. */
const PAUSE_MS = 200;

/** What a form of a query says, as an address: without what is empty. */
export function queryHref(fields: Iterable<readonly [string, unknown]>): string {
  const said = [...fields].flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value] as [string, string]] : [],
  );
  return `?${new URLSearchParams(said)}`;
}

/** Calls when nobody has typed for a while, and never between the letters of a word that is still being composed. */
export function createPause(call: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const typed = (isComposing: boolean) => {
    stop();
    if (!isComposing) timer = setTimeout(call, PAUSE_MS);
  };
  return { typed, stop };
}

/** Of a location to which typing has led. */
const TYPED = { typed: true };

/** Of an address that asks to where things are to be copied: the list stands behind that. */
const QUESTION = "copy";

/** Whether two addresses differ in nothing but a question over the list: it is asked in one of them. */
export function isSameBehind(one: URLSearchParams, other: URLSearchParams): boolean {
  const behind = (search: URLSearchParams) => `${[...search].filter(([name]) => name !== QUESTION)}`;
  return one.has(QUESTION) !== other.has(QUESTION) && behind(one) === behind(other);
}

/**
 * What a list is asked for: what is typed, from the letter on, and otherwise what the address says. The address follows at the next pause,
 * since the whole page goes along with it.
 */
export function useAsked() {
  const [search] = useSearchParams();
  const { key, state } = useLocation();
  const here = `?${search}`;
  const [typed, setTyped] = useState<{ readonly from: string; readonly href: string } | null>(null);
  // The address has become another one by anything else: that counts.
  const now = typed && (typed.from === here || typed.href === here) ? typed.href : here;
  const asked = useMemo(() => new URLSearchParams(now), [now]);
  const onTyped = useCallback((href: string) => setTyped({ from: here, href }), [here]);
  // What is chosen in a list stays chosen while one types, and behind a question about it.
  const visit = useRef({ key, search, first: key });
  const last = visit.current;
  if (last.key !== key) {
    const isTyped = (state as typeof TYPED | null)?.typed === true;
    const stays = isTyped || isSameBehind(last.search, search);
    visit.current = { key, search, first: stays ? last.first : key };
  }
  return { asked, onTyped, visit: visit.current.first };
}

/**
 * With scripts, a GET form whose address follows what is typed, in place of the one before. The fields keep the focus and what is
 * in them; when the address becomes another one by anything else, they follow it.
 * @param onTyped is told the address of what is typed at once, except within a word that is still being composed
 */
export function useLiveQuery(values: Readonly<Record<string, string>>, onTyped: (href: string) => void) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const here = `?${search}`;
  /** The address that the fields say. */
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
  const said = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before the scripts came
  useEffect(() => {
    const typed = new FormData(form.current ?? undefined);
    if (Object.entries(values).some(([name, value]) => (typed.get(name) ?? "") !== value)) apply();
    return pause.stop;
  }, []);
  useEffect(() => {
    if (here === own.current || !form.current) return;
    pause.stop();
    own.current = here;
    for (const [name, value] of Object.entries(JSON.parse(said) as Record<string, string>)) {
      const field = form.current.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
      if (field && field.value !== value) field.value = value;
    }
  }, [here, said, pause]);
  /** For a link to the same list without anything asked for: what was typed last leads nowhere any more. */
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
