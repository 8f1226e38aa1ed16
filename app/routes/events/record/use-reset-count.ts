import { useActionData, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * Counts the reasons to reset a form that stays on the page: cancellations, and saves that changed no value and therefore not the version. The form is
 * reset only after the page has arrived without an action result, because the result would fill it with the rejected values again.
 * @param version version of the saved event
 */
export function useResetCount(version: number) {
  const { key } = useLocation();
  const { state, formData } = useNavigation();
  const isRejected = useActionData() !== undefined;
  const isCancelled = useRef(false);
  const submittedVersion = useRef<number | null>(null);
  // While the redirect after a form is loaded, `formData` still contains the form. Another navigation ends the submission without its result.
  if (state !== "idle")
    submittedVersion.current = state === "loading" && formData?.has("statusId") ? version : null;
  const [resetCount, setResetCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs for each new location
  useEffect(() => {
    if (isCancelled.current || (submittedVersion.current === version && !isRejected))
      setResetCount((count) => count + 1);
    isCancelled.current = false;
    submittedVersion.current = null;
  }, [key]);
  return {
    resetCount,
    cancel: () => {
      isCancelled.current = true;
    },
  };
}
