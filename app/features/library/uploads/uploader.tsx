import { useRevalidator } from "@remix-run/react";
import { type InputHTMLAttributes, useContext, useEffect, useId, useRef } from "react";
import { Button } from "~/components/button";
import { cx } from "~/components/classes";
import { useHydrated } from "~/components/use-hydrated";
import { FORM_MAX_MB, UPLOAD_MAX_MB } from "~/domain/shared/limits";
import type { MediaKind, Uuid } from "~/domain/shared/model";
import { ConversionRows } from "~/features/library/conversions/rows";
import { convertUploaded } from "~/features/library/conversions/uploaded";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { chosenFiles } from "./choose";
import { type ChosenFile, compareNames, UPLOAD_TRAY, type UploadedItem } from "./model";
import { UploadPerson } from "./person";
import { UploadRows } from "./rows";
import { currentQueue, uploadQueue, useUploads } from "./store";
import { type DropPoint, useFileDrop } from "./use-file-drop";

/** Id of the hidden field that selects files, for a button in another place. */
export const FILES_FIELD = "upload-files";
/** Id of the hidden field that selects a whole folder, for a button in another place. */
export const FOLDER_FIELD = "upload-folder";

/** React has no type for the attribute with which an input selects a whole folder. */
const WHOLE_FOLDER = { webkitdirectory: "" } as InputHTMLAttributes<HTMLInputElement>;

/** Time to wait for further files before a list is reloaded, in milliseconds. */
const REVALIDATE_MS = 300;

export interface UploaderProps {
  /** Target folder of the files. Null is the root of the owner's media. */
  readonly folderId: Uuid | null;
  /** Owner of the library. Null for the user's own. */
  readonly ownerId: Uuid | null;
  /** Free bytes of the library, from the loader. Files that do not fit are rejected here. */
  readonly left: number;
  /** Id of the item whose file is replaced. Only one file can then be chosen. */
  readonly replacesId?: Uuid;
  readonly multiple?: boolean;
  /** Accepted kinds. Default: all. */
  readonly kinds?: readonly MediaKind[];
  /** Name of a form that shows its own rows below its button. Without it, the rows are in the upload tray at the bottom of the window. */
  readonly group?: string;
  /** Shows only the primary button in a row of tools; everything else is below the row. */
  readonly inRow?: boolean;
  /** Text below the button. By default it names the accepted files. */
  readonly hint?: string;
  /** Label of the button. */
  readonly label?: string;
  /**
   * Called when files were chosen, with the point if they were dropped. The returned function is called for each file that has arrived,
   * also when this component is gone.
   */
  readonly onChosen?: (point: DropPoint | null) => (item: UploadedItem, index: number) => void;
  /** Called for each file that was uploaded by this component while it is mounted. */
  readonly onUploaded?: (item: UploadedItem) => void;
}

/**
 * Accepts files by buttons, by dropping them on the page or one of its folders, or by pasting. Without scripts, it is a plain
 * form that posts `intent=upload` with the files as `file` to the page's own action. Render at most one visible Uploader.
 */
export function Uploader(props: UploaderProps) {
  const { folderId, ownerId, left, replacesId, kinds, group = UPLOAD_TRAY, onUploaded } = props;
  const inRow = props.inRow ?? false;
  const multiple = props.multiple ?? !replacesId;
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const userId = useContext(UploadPerson);
  const { rows } = useUploads();
  const revalidator = useRevalidator();
  const root = useRef<HTMLDivElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = async (
    chosen: readonly ChosenFile[],
    into: Uuid | null = null,
    point: DropPoint | null = null,
  ) => {
    const onArrived = props.onChosen?.(point);
    const some = multiple ? chosen : chosen.slice(0, 1);
    const queue = some.length > 0 && (await loadQueue(userId));
    if (!queue) return;
    queue.setRoom(ownerId, left);
    const place = { folderId: into ?? folderId, ownerId, replacesId: replacesId ?? null, path: [], group };
    await queue.add(some, place, { kinds, onArrived });
  };
  const isOver = useFileDrop({
    root,
    nameless: () => t("library:uploads.pasted", { time: stamp(new Date()) }),
    onFiles: (chosen, into, point) => void take(chosen, into, point),
  });

  useEffect(() => {
    void loadQueue(userId).then((queue) => queue?.restore());
  }, [userId]);
  useEffect(() => currentQueue()?.setRoom(ownerId, left), [ownerId, left]);
  const latest = useRef({ revalidator, onUploaded, take });
  useEffect(() => {
    latest.current = { revalidator, onUploaded, take };
  });
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    void loadQueue(userId).then((queue) => {
      if (isGone || !queue) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const reload = () => {
        const { state, revalidate } = latest.current.revalidator;
        // A second request would break off the first one.
        if (state === "idle") revalidate();
        else timer = setTimeout(reload, REVALIDATE_MS);
      };
      stop = queue.onArrival((item, row, file) => {
        // The item's own page converts a file that replaces another one.
        if (!replacesId) void convertUploaded(item, file);
        // Reloads the list once for files that arrive within REVALIDATE_MS.
        clearTimeout(timer);
        timer = setTimeout(reload, REVALIDATE_MS);
        if (row.group === group) latest.current.onUploaded?.(item);
      });
    });
    return () => {
      isGone = true;
      stop();
      if (group !== UPLOAD_TRAY) currentQueue()?.adopt(group);
    };
  }, [userId, group, replacesId]);

  const plain = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Files that were chosen in the plain field before the scripts came.
    const input = plain.current?.querySelector<HTMLInputElement>("input[type=file]");
    void latest.current.take(chosenFiles(input?.files ?? []));
  }, []);

  if (!hydrated)
    return (
      <div ref={plain} className="contents">
        <PlainUpload multiple={multiple} kinds={kinds} inRow={inRow} />
      </div>
    );
  const own = group === UPLOAD_TRAY ? [] : rows.filter((row) => row.group === group);
  const label = props.label ?? t(multiple ? "library:uploads.choose" : "library:uploads.chooseOne");
  const onChange = (input: HTMLInputElement) => {
    const chosen = chosenFiles(input.files ?? []);
    // Allows the same file to be chosen again.
    input.value = "";
    void take(chosen);
  };
  return (
    <div ref={root} className={inRow ? "contents" : "grid grid-cols-[minmax(0,1fr)] gap-2"}>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant={inRow ? "primary" : "secondary"}
          icon="upload"
          onClick={() => files.current?.click()}
        >
          {label}
        </Button>
        {multiple && !inRow && (
          <Button variant="quiet" icon="folder" onClick={() => folder.current?.click()}>
            {t("library:uploads.chooseFolder")}
          </Button>
        )}
        <input
          ref={files}
          id={inRow ? FILES_FIELD : undefined}
          type="file"
          hidden
          multiple={multiple}
          aria-label={label}
          onChange={({ currentTarget }) => onChange(currentTarget)}
        />
        <input
          ref={folder}
          id={inRow ? FOLDER_FIELD : undefined}
          type="file"
          hidden
          {...WHOLE_FOLDER}
          aria-label={t("library:uploads.chooseFolder")}
          onChange={({ currentTarget }) => onChange(currentTarget)}
        />
      </div>
      {props.hint ? (
        <p className={cx("text-xs text-muted text-phrase max-sm:hidden", inRow && BELOW)}>{props.hint}</p>
      ) : (
        <UploadLimit multiple={multiple} kinds={kinds} inRow={inRow} />
      )}
      {own.length > 0 && (
        <div className={inRow ? BELOW : undefined}>
          <UploadRows rows={own} />
        </div>
      )}
      {!replacesId && (
        <div className={cx("empty:hidden", inRow && BELOW)}>
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

/** The file of a form that shows its own rows whose name comes first. Rejected files do not count. */
export const useUploadRow = (group: string) =>
  useUploads()
    .rows.filter((row) => row.group === group && row.state !== "refused")
    .sort((a, b) => compareNames(a.name, b.name))[0];

/** The queue of the signed-in person. Null for visitors, and when its script cannot be loaded, which MissingPart reports. */
const loadQueue = async (userId: Uuid | null) => (userId ? uploadQueue(userId).catch(() => null) : null);

/** A time as part of a file's name, where colons cannot be: 2026-11-22 09.30.15. */
function stamp(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${date} ${[two(at.getHours()), two(at.getMinutes()), two(at.getSeconds())].join(".")}`;
}

/** Types that may be uploaded: all, or those that are accepted here. */
const kindsText = (t: Translate, kinds: readonly MediaKind[] | undefined): string =>
  kinds?.map((kind) => t(`library:kindName.${kind}`)).join(t("library:uploads.kindSeparator")) ??
  t("library:uploads.anyKind");

/** Puts a part below the row of tools. */
const BELOW = "order-last basis-full";

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
    <p className={cx("text-xs text-muted text-phrase", inRow && BELOW, className)}>
      {t(multiple ? "library:uploads.limit" : "library:uploads.limitOne", {
        kinds: kindsText(t, kinds),
        size: UPLOAD_MAX_MB,
      })}{" "}
      <span className="max-sm:hidden">
        {t(multiple ? "library:uploads.hint" : "library:uploads.hintOne")}
      </span>
    </p>
  );
}

/** The form without scripts. In a browser that runs scripts, it has the box of the buttons that replace it. */
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
          : "grid grid-cols-[minmax(0,1fr)] gap-2"
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
