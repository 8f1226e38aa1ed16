import { useState } from "react";
import type { Uuid } from "~/domain/shared/model";

/** Returns the id of the item that is being created; each new item gets another one. */
export function useNewId(isNew: boolean, first: Uuid): Uuid {
  const [id, setId] = useState(first);
  const [wasNew, setWasNew] = useState(isNew);
  if (isNew !== wasNew) {
    setWasNew(isNew);
    if (isNew) setId(crypto.randomUUID());
  }
  return id;
}
