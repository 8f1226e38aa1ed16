import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/button";
import type { MediaKind } from "~/domain/shared/model";
import { isUnderWay, type UploadedItem } from "~/features/library/uploads/model";
import { useUploads } from "~/features/library/uploads/store";
import { Uploader } from "~/features/library/uploads/uploader";
import { useTranslation } from "~/i18n/translation";

/** Name of the rows of these screens' uploads. */
export const SOURCE_UPLOADS = "source";

export interface SourceUploaderProps {
  readonly upload: { readonly ownerId: string | null; readonly left: number };
  readonly kinds: readonly MediaKind[];
  readonly multiple: boolean;
  /** Called once all files of the form have arrived, in the order of their names. */
  readonly onReady: (items: readonly UploadedItem[]) => void;
}

const byName = new Intl.Collator(undefined, { numeric: true });

/**
 * Uploads the files of a space, and continues when all of them are there. When one was rejected or is paused, the owner sees why, and
 * continues without it by a button.
 */
export function SourceUploader({ upload, kinds, multiple, onReady }: SourceUploaderProps) {
  const { t } = useTranslation();
  const rows = useUploads().rows.filter(({ group }) => group === SOURCE_UPLOADS);
  const [arrived, setArrived] = useState<readonly UploadedItem[]>([]);
  // A file's row is done a moment before its item is known.
  const isReady =
    arrived.length > 0 && arrived.length >= rows.length && rows.every(({ state }) => state === "done");
  const isWaiting = arrived.length > 0 && !isReady && !rows.some(isUnderWay);
  const goOn = () => onReady([...arrived].sort((a, b) => byName.compare(a.file_name, b.file_name)));
  const latest = useRef(goOn);
  useEffect(() => {
    latest.current = goOn;
  });
  useEffect(() => {
    if (isReady) latest.current();
  }, [isReady]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Uploader
        {...upload}
        folderId={null}
        kinds={kinds}
        multiple={multiple}
        group={SOURCE_UPLOADS}
        onUploaded={(item) => setArrived((before) => [...before, item])}
      />
      {isWaiting && (
        <div>
          <Button variant="primary" onClick={goOn}>
            {t("spaces:start.continueWith", { count: arrived.length })}
          </Button>
        </div>
      )}
    </div>
  );
}
