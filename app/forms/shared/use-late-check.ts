import { parse } from "@conform-to/react";
import { useEffect, useState } from "react";

/**
 * Loads the module that checks a form's input. The form can be used before the module has arrived. Returns null until then, and if the module cannot be
 * loaded, because the server checks every form anyway (decision 098).
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

/** Returns the result of a form whose check has not arrived: its input is accepted, and sent to the server. */
export const acceptUnchecked = (form: FormData) => parse(form, { resolve: (value) => ({ value }) });
