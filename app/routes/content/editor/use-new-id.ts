import { useState } from "react";
import type { Uuid } from "~/domain/shared/model";

/** The id of what is being made, another one for each. */
export function useNewId(isNew: boolean, first: Uuid): Uuid {
  const [id, setId] = useState(first);
  const [wasNew, setWasNew] = useState(isNew);
  if (isNew !== wasNew) {
    setWasNew(isNew);
    if (isNew) setId(crypto.randomUUID());
  }
  return id;
}
