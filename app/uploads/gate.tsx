import { useEffect } from "react";
import type { Uuid } from "~/domain/shared/model";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";
import { SHELF } from "./model";
import { currentQueue, hasUnfinished, uploadQueue, useUploads } from "./store";

const Shelf = later(withMessages(["library"], () => import("./shelf")));

/** Part of every screen of people who are logged in: finds uploads that were not finished, and shows the shelf while it has any. */
export function UploadGate({ userId }: { readonly userId: Uuid }) {
  const { rows } = useUploads();
  useEffect(() => {
    const queue = currentQueue();
    // The same person has signed in again, or another person has.
    if (queue) void uploadQueue(userId).then((own) => own.tryAgain());
    else if (hasUnfinished())
      // If the script cannot be loaded, the next page tries again.
      uploadQueue(userId).then(
        (own) => own.restore(),
        () => {},
      );
  }, [userId]);
  if (!rows.some(({ group }) => group === SHELF)) return null;
  return <Shelf />;
}
