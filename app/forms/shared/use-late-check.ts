import { parse } from "@conform-to/react";
import { useEffect, useState } from "react";

/**
 * Loads the module that checks a form's input. Returns null until it has arrived, and if it cannot be loaded: the form then works
 * unchecked, because the server checks every form anyway (decision 098).
 * @param load the same function at each call
 */
export function useLateCheck<Check extends object>(load: () => Promise<Check>): Check | null {
  const [check, setCheck] = useState<Check | null>(null);
  useEffect(() => {
    // A failure needs no report here: a notice of the root route reports scripts that cannot be loaded (decision 085).
    load().then(setCheck, () => {});
  }, [load]);
  return check;
}

/** Returns the result of a form whose check has not arrived: its input is accepted, and sent to the server. */
export const acceptUnchecked = (form: FormData) => parse(form, { resolve: (value) => ({ value }) });
