import { parse } from "@conform-to/react";
import { useEffect, useState } from "react";

/**
 * Loads the module that checks a form's input after the form, which can be used before the module has arrived. Returns null until then, and if the
 * module cannot be loaded: the server checks every form (decision 098).
 * @param load the same function at each call
 */
export function useLateCheck<Check extends object>(load: () => Promise<Check>): Check | null {
  const [check, setCheck] = useState<Check | null>(null);
  useEffect(() => {
    // The page reports a script that is missing (decision 085).
    load().then(setCheck, () => {});
  }, [load]);
  return check;
}

/** Result of a form whose check has not arrived. Its input is sent. */
export const acceptUnchecked = (form: FormData) => parse(form, { resolve: (value) => ({ value }) });
