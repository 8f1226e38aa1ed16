import { useRevalidator } from "@remix-run/react";
import { type InputHTMLAttributes, useContext, useEffect, useId, useRef, useState } from "react";
import { Button } from "~/components/button";
import { cx } from "~/components/cx";
import { useHydrated } from "~/components/use-hydrated";
import { FORM_MAX_MB, UPLOAD_MAX_MB } from "~/domain/shared/limits";
import type { MediaKind, Uuid } from "~/domain/shared/model";
import { ConversionRows } from "~/features/library/conversions/conversion-rows";
import { convertUploaded } from "~/features/library/conversions/convert-uploaded";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { currentQueue, loadUploadQueue, useUploads } from "./current-queue";
import { chosenFiles } from "./files-from-input";
import { UploadRows } from "./upload-rows";
import {
  type ChosenFile,
  compareNames,
  isUnderWay,
  UPLOAD_TRAY_GROUP,
  type UploadedItem,
} from "./upload-state";
import { UploadUserContext } from "./upload-user";
import { type DropPoint, useFileDrop } from "./use-file-drop";

/** Id of the hidden field for choosing files, for buttons elsewhere on the page. */
export const FILES_FIELD = "upload-files";
/** Id of the hidden field for choosing a folder, for buttons elsewhere on the page. */
export const FOLDER_FIELD = "upload-folder";

/** Attribute with which an input selects a whole folder. React has no type for it. */
const WHOLE_FOLDER = { webkitdirectory: "" } as InputHTMLAttributes<HTMLInputElement>;

/** Time to wait for further files before the list is reloaded, in milliseconds. */
const REVALIDATE_MS = 300;

/** Place, limits and callbacks of an uploader. */
export interface UploaderProps {
  /** Target folder of the files. Null for the root of the owner's library. */
  readonly folderId: Uuid | null;
  /** Owner of the library. Null for the user's own library. */
  readonly ownerId: Uuid | null;
  /** Free bytes of the library, from the loader. Files that do not fit are rejected here. */
  readonly freeBytes: number;
  /** Id of the item whose file is replaced. */
  readonly replacesId?: Uuid;
  /** Whether several files can be chosen. Default: true, but false with `replacesId`. */
  readonly multiple?: boolean;
  /** Accepted kinds. Default: all. */
  readonly kinds?: readonly MediaKind[];
  /** Name of a form that shows the rows of its files below its button. Without it, the upload tray at the bottom of the window shows them. */
  readonly group?: string;
  /** Whether only the primary button is in the row of tools, and everything else below that row. */
  readonly inRow?: boolean;
  /** Text below the button. By default it names the accepted files. */
  readonly hint?: string;
  /** Label of the button. */
  readonly label?: string;
  /**
   * Called when files were chosen, with the position if they were dropped. The returned function is called for each file that has arrived, even after
   * this component was removed.
   */
  readonly onChosen?: (point: DropPoint | null) => (item: UploadedItem, index: number) => void;
  /** Called for each file of its group that arrives while this component is mounted. */
  readonly onUploaded?: (item: UploadedItem) => void;
}

/**
 * Accepts files that are chosen with buttons, dropped on the page or on one of its folders, or pasted. Without scripts, it is a plain form that posts
 * `intent=upload` with the files as `file` to the page's own action. Render at most one visible Uploader.
 */
export function Uploader(props: UploaderProps) {
  const { folderId, ownerId, freeBytes, replacesId, kinds, group = UPLOAD_TRAY_GROUP, onUploaded } = props;
  const inRow = props.inRow ?? false;
  const multiple = props.multiple ?? !replacesId;
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const userId = useContext(UploadUserContext);
  const { rows, halted } = useUploads();
  const [isAdding, setAdding] = useState(false);
  const revalidator = useRevalidator();
  const root = useRef<HTMLDivElement>(null);
  const filesInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const addFiles = async (
    chosen: readonly ChosenFile[],
    droppedFolderId: Uuid | null = null,
    point: DropPoint | null = null,
  ) => {
    const onArrived = props.onChosen?.(point);
    if (chosen.length === 0) return;
    setAdding(true);
    const queue = await loadQueue(userId);
    if (!queue) return setAdding(false);
    queue.setFreeBytes(ownerId, freeBytes);
    const place = {
      folderId: droppedFolderId ?? folderId,
      ownerId,
      replacesId: replacesId ?? null,
      path: [],
      group,
    };
    await queue.add(chosen, place, { kinds, onArrived, isSingle: !multiple });
    setAdding(false);
  };
  const isOver = useFileDrop({
    root,
    namePastedImage: () => t("library:uploads.pasted", { time: formatTimestamp(new Date()) }),
    onFiles: (chosen, into, point) => void addFiles(chosen, into, point),
  });

  useEffect(() => {
    void loadQueue(userId).then((queue) => queue?.restore());
  }, [userId]);
  useEffect(() => currentQueue()?.setFreeBytes(ownerId, freeBytes), [ownerId, freeBytes]);
  const latest = useRef({ revalidator, onUploaded, addFiles });
  useEffect(() => {
    latest.current = { revalidator, onUploaded, addFiles };
  });
  useEffect(() => {
    let stop = () => {};
    let isOutdated = false;
    void loadQueue(userId).then((queue) => {
      if (isOutdated || !queue) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const reload = () => {
        const { state, revalidate } = latest.current.revalidator;
        // A second revalidation would cancel the first one.
        if (state === "idle") revalidate();
        else timer = setTimeout(reload, REVALIDATE_MS);
      };
      stop = queue.onArrival((item, row, file) => {
        // For a file that replaces another one, the item's own page starts the conversion.
        if (!replacesId) void convertUploaded(item, file);
        // Reloads the list once for files that arrive within REVALIDATE_MS.
        clearTimeout(timer);
        timer = setTimeout(reload, REVALIDATE_MS);
        if (row.group === group) latest.current.onUploaded?.(item);
      });
    });
    return () => {
      isOutdated = true;
      stop();
      if (group !== UPLOAD_TRAY_GROUP) currentQueue()?.adopt(group);
    };
  }, [userId, group, replacesId]);

  const plainForm = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Files may have been chosen in the plain field before the scripts were loaded.
    const input = plainForm.current?.querySelector<HTMLInputElement>("input[type=file]");
    const addChosen = () => void latest.current.addFiles(chosenFiles(input?.files ?? []));
    addChosen();
    // A file dialog that was opened before hydration may still be open. It returns its files to the plain field, which has left the page.
    input?.addEventListener("change", addChosen);
    return () => input?.removeEventListener("change", addChosen);
  }, []);

  if (!hydrated)
    return (
      <div ref={plainForm} className="contents">
        <PlainUpload multiple={multiple} kinds={kinds} inRow={inRow} />
      </div>
    );
  const ownRows = group === UPLOAD_TRAY_GROUP ? [] : rows.filter((row) => row.group === group);
  const label = props.label ?? t(multiple ? "library:uploads.choose" : "library:uploads.chooseOne");
  const onChange = (input: HTMLInputElement) => {
    const chosen = chosenFiles(input.files ?? []);
    // Clears the field, so that the same file can be chosen again.
    input.value = "";
    void addFiles(chosen);
  };
  return (
    <div ref={root} className={inRow ? "contents" : "grid grid-cols-1 gap-2"}>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant={inRow ? "primary" : "secondary"}
          icon="upload"
          onClick={() => filesInput.current?.click()}
        >
          {label}
        </Button>
        {multiple && !inRow && (
          <Button variant="quiet" icon="folder" onClick={() => folderInput.current?.click()}>
            {t("library:uploads.chooseFolder")}
          </Button>
        )}
        <input
          ref={filesInput}
          id={inRow ? FILES_FIELD : undefined}
          type="file"
          hidden
          multiple={multiple}
          aria-label={label}
          onChange={({ currentTarget }) => onChange(currentTarget)}
        />
        <input
          ref={folderInput}
          id={inRow ? FOLDER_FIELD : undefined}
          type="file"
          hidden
          {...WHOLE_FOLDER}
          aria-label={t("library:uploads.chooseFolder")}
          onChange={({ currentTarget }) => onChange(currentTarget)}
        />
      </div>
      {props.hint ? (
        <p className={cx("text-xs text-muted text-phrase max-sm:hidden", inRow && BELOW_ROW)}>{props.hint}</p>
      ) : (
        <UploadLimit multiple={multiple} kinds={kinds} inRow={inRow} />
      )}
      {halted === "offline" && (isAdding || ownRows.some(isUnderWay)) && (
        <p role="status" className={cx("text-sm text-warning text-phrase", inRow && BELOW_ROW)}>
          {t("library:uploads.offline")}
        </p>
      )}
      {ownRows.length > 0 && (
        <div className={inRow ? BELOW_ROW : undefined}>
          <UploadRows rows={ownRows} />
        </div>
      )}
      {!replacesId && (
        <div className={cx("empty:hidden", inRow && BELOW_ROW)}>
          <ConversionRows />
        </div>
      )}
      {isOver && (
        <div className="pointer-events-none fixed inset-2 z-50 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-paper/60">
          <p className="rounded-lg bg-accent px-6 py-3 text-base font-semibold text-accent-ink">
            {t("library:uploads.drop")}
          </p>
        </div>
      )}
    </div>
  );
}

/** Returns the first file, by name, of a form that shows its own rows. Rejected files are ignored. */
export const useUploadRow = (group: string) =>
  useUploads()
    .rows.filter((row) => row.group === group && row.state !== "rejected")
    .sort((a, b) => compareNames(a.name, b.name))[0];

/** Returns whether files of a form are being uploaded. */
export const useIsUploading = (group: string) =>
  useUploads().rows.some((row) => row.group === group && isUnderWay(row));

/** Loads the queue of the logged-in user. Resolves to null for visitors, and when the script cannot be loaded, which MissingScriptNotice reports. */
const loadQueue = async (userId: Uuid | null) => (userId ? loadUploadQueue(userId).catch(() => null) : null);

/** Formats a time as part of a file name, which cannot contain colons: 2026-11-22 09.30.15. */
function formatTimestamp(time: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const date = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join("-");
  return `${date} ${[twoDigits(time.getHours()), twoDigits(time.getMinutes()), twoDigits(time.getSeconds())].join(".")}`;
}

/** Returns the text with the accepted file types. */
const kindsText = (t: Translate, kinds: readonly MediaKind[] | undefined): string =>
  kinds?.map((kind) => t(`library:uploads.kinds.${kind}`)).join(t("library:uploads.kindSeparator")) ??
  t("library:uploads.anyKind");

/** Classes that place an element below the row of tools. */
const BELOW_ROW = "order-last basis-full";

type PlainUploadProps = Pick<UploaderProps, "kinds"> & {
  readonly multiple: boolean;
  readonly inRow: boolean;
};

function UploadLimit({
  multiple,
  kinds,
  inRow,
  className,
}: PlainUploadProps & { readonly className?: string }) {
  const { t } = useTranslation();
  return (
    <p className={cx("text-xs text-muted text-phrase", inRow && BELOW_ROW, className)}>
      {t(multiple ? "library:uploads.limit" : "library:uploads.limitOne", {
        kinds: kindsText(t, kinds),
        size: UPLOAD_MAX_MB,
      })}
      {t("shared:space")}
      <span className="max-sm:hidden">
        {t(multiple ? "library:uploads.hint" : "library:uploads.hintOne")}
      </span>
    </p>
  );
}

/** The form without scripts. In browsers that run scripts, it has the size of the buttons that replace it. */
function PlainUpload({ multiple, kinds, inRow }: PlainUploadProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <form
      method="post"
      encType="multipart/form-data"
      className={
        inRow
          ? "[@media(scripting:enabled)]:contents [@media(scripting:none)]:order-last [@media(scripting:none)]:basis-full"
          : "grid grid-cols-1 gap-2"
      }
    >
      <input type="hidden" name="intent" value="upload" />
      <label htmlFor={id} className="text-sm font-semibold [@media(scripting:enabled)]:sr-only">
        {t(multiple ? "library:uploads.files" : "library:uploads.file")}
      </label>
      <div
        className={cx(
          "flex items-center gap-2",
          inRow && "relative overflow-clip [@media(scripting:none)]:flex-wrap",
        )}
      >
        {inRow && (
          <span aria-hidden="true" className="needs-script">
            <Button variant="primary" icon="upload" tabIndex={-1}>
              {t("library:uploads.choose")}
            </Button>
          </span>
        )}
        <input
          id={id}
          type="file"
          name="file"
          multiple={multiple}
          required
          className={cx(
            "min-h-10 max-w-full min-w-0 text-sm file:mr-3 file:min-h-10 file:rounded file:border file:border-edge/65 file:bg-paper file:px-4 file:font-semibold file:text-ink",
            inRow &&
              "[@media(scripting:enabled)]:absolute [@media(scripting:enabled)]:inset-0 [@media(scripting:enabled)]:opacity-0",
          )}
        />
        <Button
          type="submit"
          variant={inRow ? "primary" : "secondary"}
          icon="upload"
          className={cx("shrink-0", inRow && "without-script")}
        >
          {t("library:uploads.submit")}
        </Button>
      </div>
      <p className="without-script text-xs text-muted text-phrase">
        {t("library:uploads.limitForm", {
          kinds: kindsText(t, kinds),
          size: FORM_MAX_MB,
          each: UPLOAD_MAX_MB,
        })}
      </p>
      <UploadLimit multiple={multiple} kinds={kinds} inRow={inRow} className="needs-script" />
    </form>
  );
}
