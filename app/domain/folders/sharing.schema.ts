import * as z from "zod";
import { field, formError } from "../shared/fields.schema";
import { isUuid } from "../shared/ids";
import type { Uuid } from "../shared/model";

/** The form that shares a folder, a space or a library item: {groupId}; an empty value stops sharing. */
export function createSharingSchema() {
  return z.object(
    {
      groupId: field<Uuid | null, Uuid | null>((value) => {
        if (value === undefined || value === "") return { value: null };
        return isUuid(value) ? { value } : { error: "users:errors.group" };
      }),
    },
    formError,
  );
}
