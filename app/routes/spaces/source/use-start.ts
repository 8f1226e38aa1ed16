import { useState } from "react";
import { type SourceValues, type StartAnchor, startOfForm } from "~/domain/spaces/space-source-form";

/** Start in a source form. It moves with a model that is scaled or rotated after the start was taken. */
export function useStart(values: SourceValues) {
  const [anchor, setAnchor] = useState<StartAnchor>(values);
  const start = startOfForm(anchor, values);
  return {
    start,
    /** moved: with the model. dropped: the viewer chooses a start. */
    change: start === anchor.start ? null : start === "" ? ("dropped" as const) : ("moved" as const),
    take: (taken: string) => setAnchor({ ...values, start: taken }),
  };
}
