import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/button";
import type { MediaKind } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useUploads } from "./current-queue";
import { compareNames, isUnderWay, type UploadedItem } from "./upload-state";
import { Uploader, type UploaderProps } from "./uploader";

/** Props of the uploader of a form whose files are uploaded together. */
export interface BatchUploaderProps extends Pick<UploaderProps, "ownerId" | "freeBytes" | "multiple"> {
  readonly kinds: readonly MediaKind[];
  /** Name of the form that shows the rows of its files. */
  readonly group: string;
  /** Called with the arrived files in the order of their names, when all have arrived or the user continues without the others. */
  readonly onReady: (items: readonly UploadedItem[]) => void;
}

/**
 * Uploads the files of a form, and continues when all of them have arrived. When only some have arrived and no upload is under way, a
 * button continues with these.
 */
export function BatchUploader({ group, onReady, ...uploader }: BatchUploaderProps) {
  const { t } = useTranslation();
  const rows = useUploads().rows.filter((row) => row.group === group);
  const [arrived, setArrived] = useState<readonly UploadedItem[]>([]);
  // The row of a file is done shortly before its item is available.
  const isReady =
    arrived.length > 0 && arrived.length >= rows.length && rows.every(({ state }) => state === "done");
  const isWaiting = arrived.length > 0 && !isReady && !rows.some(isUnderWay);
  const finish = () => onReady([...arrived].sort((a, b) => compareNames(a.file_name, b.file_name)));
  const latestFinish = useRef(finish);
  useEffect(() => {
    latestFinish.current = finish;
  });
  useEffect(() => {
    if (isReady) latestFinish.current();
  }, [isReady]);
  return (
    <div className="grid grid-cols-1 gap-3">
      <Uploader
        {...uploader}
        folderId={null}
        group={group}
        onUploaded={(item) => setArrived((previousItems) => [...previousItems, item])}
      />
      {isWaiting && (
        <div>
          <Button variant="primary" onClick={finish}>
            {t("library:uploads.continueWith", { count: arrived.length })}
          </Button>
        </div>
      )}
    </div>
  );
}
