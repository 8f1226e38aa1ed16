import { useCallback, useEffect, useRef, useState } from "react";
import type { LocalizedInput } from "~/domain/events/event-form";
import { LANGS } from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";

/** Requests the languages in which another event of the space already has the name. Rejects without a response. */
export type FetchTakenNames = (name: LocalizedInput) => Promise<readonly Lang[]>;

const toKey = (name: LocalizedInput) => JSON.stringify(LANGS.map((lang) => name[lang] ?? ""));

/** Time without typing before the request, in milliseconds. */
const TYPING_PAUSE_MS = 400;

/**
 * Returns the languages in which the typed name is taken, and a function that starts the check. The server also checks when the form is saved, so
 * failed requests are ignored.
 * @param initialName the name with which the form was rendered
 */
export function useTakenNames(fetchTakenNames: FetchTakenNames | undefined, initialName: LocalizedInput) {
  const [takenLanguages, setTakenLanguages] = useState<readonly Lang[]>([]);
  const latestKey = useRef(toKey(initialName));
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const startCheck = useCallback(
    (name: LocalizedInput) => {
      const key = toKey(name);
      if (!fetchTakenNames || key === latestKey.current) return;
      latestKey.current = key;
      setTakenLanguages([]);
      clearTimeout(timer.current);
      timer.current = setTimeout(async () => {
        const langs = await fetchTakenNames(name).catch(() => []);
        if (latestKey.current === key) setTakenLanguages(langs);
      }, TYPING_PAUSE_MS);
    },
    [fetchTakenNames],
  );
  return { takenLanguages, startCheck };
}
