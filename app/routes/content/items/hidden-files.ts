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

/** The reason why visitors do not see a media item of the event. An item whose file is unknown to the page is judged by its type. */
export function useHiddenFile(): (medium: EventMedia) => HiddenFile | null {
  const { hiddenFiles } = useEditorView();
  return (medium) => {
    const known = hiddenFiles[medium.libraryItemId];
    if (known !== undefined) return known;
    return needsConversion(medium)
      ? { reason: { why: "waiting" }, name: medium.title.en || medium.title.ja }
      : null;
  };
}

interface HiddenFilesPage {
  readonly hiddenFiles: HiddenFiles;
  readonly picker: {
    readonly items: readonly { readonly id: Uuid; readonly hidden: HiddenFile | null }[];
  } | null;
}

/** Files of the event and of the picker: a file that was just chosen is not yet among the event's. */
export function useHiddenFiles({ hiddenFiles, picker }: HiddenFilesPage): HiddenFiles {
  const [offered, setOffered] = useState<HiddenFiles>({});
  useEffect(() => {
    if (!picker) return;
    const files = Object.fromEntries(picker.items.map(({ id, hidden }) => [id, hidden]));
    setOffered((before) => ({ ...before, ...files }));
  }, [picker]);
  return useMemo(() => ({ ...offered, ...hiddenFiles }), [offered, hiddenFiles]);
}
