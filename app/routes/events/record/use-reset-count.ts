import { useActionData, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * Counts cancellations, and saves after which the version is the same because the saved values are. A form that stays on the page is reset once the
 * page without its result has arrived, not earlier, because it would receive the rejected values again.
 */
export function useResetCount(version: number) {
  const { key } = useLocation();
  const { formData } = useNavigation();
  const isRejected = useActionData() !== undefined;
  const cancelled = useRef(false);
  const submittedVersion = useRef<number | null>(null);
  if (formData?.has("statusId")) submittedVersion.current = version;
  const [resetCount, setResetCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs for each new location
  useEffect(() => {
    if (cancelled.current || (submittedVersion.current === version && !isRejected))
      setResetCount((count) => count + 1);
    cancelled.current = false;
    submittedVersion.current = null;
  }, [key]);
  return {
    resetCount,
    cancel: () => {
      cancelled.current = true;
    },
  };
}
