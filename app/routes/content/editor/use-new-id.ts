import { useState } from "react";
import type { Uuid } from "~/domain/shared/model";

/** Returns the id for the item that is being created. It stays the same after the item was created, and changes when another new item is begun. */
export function useNewId(isNew: boolean, initialId: Uuid): Uuid {
  const [id, setId] = useState(initialId);
  const [wasNew, setWasNew] = useState(isNew);
  if (isNew !== wasNew) {
    setWasNew(isNew);
    if (isNew) setId(crypto.randomUUID());
  }
  return id;
}
