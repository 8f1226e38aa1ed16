import { useEffect } from "react";
import type { Uuid } from "~/domain/shared/model";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { currentQueue, hasOpenUploads, loadUploadQueue, useUploads } from "./current-queue";
import { UPLOAD_TRAY_GROUP } from "./upload-state";

const UploadTray = createLatePart(withMessages(["library"], () => import("./upload-tray")));

/** Restores unfinished uploads, and shows the upload tray while it has files. The page shell renders it for logged-in users. */
export function UploadTrayLoader({ userId }: { readonly userId: Uuid }) {
  const { rows } = useUploads();
  useEffect(() => {
    const queue = currentQueue();
    // The queue already exists, so a user may have logged in again in this tab, perhaps another one.
    if (queue) void loadUploadQueue(userId).then((userQueue) => userQueue.tryAgain());
    else if (hasOpenUploads())
      // If the script cannot be loaded, the uploads are restored after a reload.
      loadUploadQueue(userId).then(
        (userQueue) => userQueue.restore(),
        () => {},
      );
  }, [userId]);
  if (!rows.some(({ group }) => group === UPLOAD_TRAY_GROUP)) return null;
  return <UploadTray />;
}
