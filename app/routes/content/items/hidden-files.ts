import { useEffect, useMemo, useState } from "react";
import type { LibraryItem } from "~/domain/library/library-item";
import { needsConversion } from "~/domain/library/preparation";
import { hiddenReason } from "~/domain/library/prepared";
import type { EventMedia, Uuid } from "~/domain/shared/model";
import { type HiddenFile, type HiddenFiles, useEditorView } from "../editor/editor-context";

/** The reason why visitors do not see a library item; null for those that they see. */
export function hiddenFile(item: LibraryItem): HiddenFile | null {
  const reason = hiddenReason(item);
  return reason && { reason, name: item.fileName };
}

/**
 * Returns a function that gives the reason why visitors do not see a media item of the event; null if they see it. If the page has no data about its
 * file, a file of a type that needs a conversion counts as waiting for it.
 */
export function useHiddenFile(): (mediaItem: EventMedia) => HiddenFile | null {
  const { hiddenFiles } = useEditorView();
  return (mediaItem) => {
    const file = hiddenFiles[mediaItem.libraryItemId];
    if (file !== undefined) return file;
    return needsConversion(mediaItem)
      ? { reason: { why: "waiting" }, name: mediaItem.title.en || mediaItem.title.ja }
      : null;
  };
}

interface HiddenFilesPage {
  readonly hiddenFiles: HiddenFiles;
  readonly picker: {
    readonly items: readonly { readonly id: Uuid; readonly hidden: HiddenFile | null }[];
  } | null;
}

/** Library files of the event and of the picker. A file that was just chosen is not in the event's list yet. */
export function useHiddenFiles({ hiddenFiles, picker }: HiddenFilesPage): HiddenFiles {
  const [pickerFiles, setPickerFiles] = useState<HiddenFiles>({});
  useEffect(() => {
    if (!picker) return;
    const files = Object.fromEntries(picker.items.map(({ id, hidden }) => [id, hidden]));
    setPickerFiles((previousFiles) => ({ ...previousFiles, ...files }));
  }, [picker]);
  return useMemo(() => ({ ...pickerFiles, ...hiddenFiles }), [pickerFiles, hiddenFiles]);
}
