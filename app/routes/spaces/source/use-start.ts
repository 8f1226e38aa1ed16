import { useState } from "react";
import { type SourceValues, type StartAnchor, startOfForm } from "~/domain/spaces/space-source-form";

/** Start view in a source form. It is moved together with a model that is scaled or rotated after the start was captured. */
export function useStart(values: SourceValues) {
  const [anchor, setAnchor] = useState<StartAnchor>(values);
  const start = startOfForm(anchor, values);
  return {
    start,
    /** "moved": moved together with the model. "dropped": invalid, so the viewer chooses a start. */
    change: start === anchor.start ? null : start === "" ? ("dropped" as const) : ("moved" as const),
    setStart: (newStart: string) => setAnchor({ ...values, start: newStart }),
  };
}
