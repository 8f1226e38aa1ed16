import { useCallback, useEffect, useRef, useState } from "react";
import type { LocalizedInput } from "~/domain/events/event-form";
import { LANGS } from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";

/** Asks the server in which languages another event of the space has a name; rejects if there is no answer. */
export type AskTakenNames = (name: LocalizedInput) => Promise<readonly Lang[]>;

const keyOf = (name: LocalizedInput) => JSON.stringify(LANGS.map((lang) => name[lang] ?? ""));

/** Milliseconds without typing before the server is asked. */
const PAUSE_MS = 400;

/**
 * Languages whose typed name is taken, checked while typing. Saving checks again, so a failed request is harmless.
 * @param first name before typing
 */
export function useTakenNames(ask: AskTakenNames | undefined, first: LocalizedInput) {
  const [taken, setTaken] = useState<readonly Lang[]>([]);
  const latest = useRef(keyOf(first));
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const check = useCallback(
    (name: LocalizedInput) => {
      const key = keyOf(name);
      if (!ask || key === latest.current) return;
      latest.current = key;
      setTaken([]);
      clearTimeout(timer.current);
      timer.current = setTimeout(async () => {
        const langs = await ask(name).catch(() => []);
        if (latest.current === key) setTaken(langs);
      }, PAUSE_MS);
    },
    [ask],
  );
  return { taken, check };
}
