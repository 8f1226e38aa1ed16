import { useState } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { newMediaValues } from "~/domain/content/content";
import { inLanguage } from "~/domain/shared/localized";
import type { EventTag, Uuid } from "~/domain/shared/model";
import type { Editor } from "~/features/content/editor/editor";
import { Uploader, type UploaderProps } from "~/features/library/uploads/uploader";
import { useTranslation } from "~/i18n/translation";
import { nudgePosition } from "~/viewer/core/nudge";
import type { SurfaceHit } from "~/viewer/Viewer";
import { useEditorView } from "../editor/editor-context";
import { createPlacement } from "../placement/placing";

type OnChosen = NonNullable<UploaderProps["onChosen"]>;
type UploadedItem = Parameters<ReturnType<OnChosen>>[0];

/** A media item that was added although the event already had one with the same title and size. */
interface RepeatedItem {
  readonly id: Uuid;
  readonly title: string;
  /** Number of such items in the event, including this one. */
  readonly count: number;
}

/** Distance between files that are dropped together on a surface, in metres. */
const DROP_STEP = 1.25;

export interface EventUploaderProps {
  /** Tag that receives the files; null if they are for the event alone. */
  readonly tag: EventTag | null;
  /** Called with the title of each library item that was added. */
  readonly onAdded?: (title: string) => void;
}

/**
 * Uploads files to the user's library and adds all but subtitles to the event as they arrive, also after this component is closed. Files that are
 * dropped on a surface of the space are placed there, side by side.
 */
export function EventUploader({ tag, onAdded }: EventUploaderProps) {
  const { t, language } = useTranslation();
  const { editor, withEditor, eventId, stage, freeBytes } = useEditorView();
  const tagId = tag?.id ?? null;
  const [repeated, setRepeated] = useState<readonly RepeatedItem[]>([]);
  const addToEvent = (loadedEditor: Editor, item: UploadedItem, surfaceHit: SurfaceHit | null) => {
    const id: Uuid = crypto.randomUUID();
    const { media, tags } = loadedEditor.state().content;
    const sameCount = media.filter(
      ({ title, byteSize }) => byteSize === item.byte_size && inLanguage(title, language).text === item.title,
    ).length;
    if (sameCount > 0)
      setRepeated((previous) => [...previous, { id, title: item.title, count: sameCount + 1 }]);
    // The tag may have changed since the upload began.
    const mediaIds = tags.find((candidate) => candidate.id === tagId)?.mediaIds;
    loadedEditor.run([
      {
        op: "create_media",
        id,
        values: {
          ...newMediaValues(item.uuid, item.title, language),
          placement: surfaceHit && createPlacement(surfaceHit),
        },
        metadata: {
          kind: item.kind,
          mimeType: item.mime_type,
          byteSize: item.byte_size,
          width: item.width,
          height: item.height,
          duration: null,
          hasThumbnail: false,
          web: null,
        },
      },
      ...(tagId && mediaIds
        ? [{ op: "update_tag", id: tagId, values: { mediaIds: [...mediaIds, id] } } as const]
        : []),
    ]);
    onAdded?.(item.title);
  };
  // The file stays in the library, so that the editor's undo can add it again.
  const removeRepeated = ({ id }: RepeatedItem) => {
    editor?.run([{ op: "delete", type: "media", id }]);
    dismiss(id);
  };
  const dismiss = (repeatedId: Uuid) =>
    setRepeated((previous) => previous.filter(({ id }) => id !== repeatedId));
  const onChosen: OnChosen = (point) => {
    const section = point && document.elementFromPoint(point.x, point.y)?.closest("[data-stage]");
    const box = section?.getBoundingClientRect();
    const hit = point && box && stage.current?.pick(point.x - box.left, point.y - box.top);
    const yaw = stage.current?.viewpoint()?.yaw ?? 0;
    return (item, index) => {
      if (item.kind === "subtitle") return;
      const step = index * DROP_STEP;
      const surfaceHit = hit
        ? { ...hit, position: nudgePosition(hit.position, hit.normal, yaw, "right", step) }
        : null;
      // A small file can arrive before the editor is loaded.
      withEditor((loadedEditor) => addToEvent(loadedEditor, item, surfaceHit));
    };
  };
  return (
    <>
      <Uploader
        folderId={null}
        ownerId={null}
        freeBytes={freeBytes}
        inRow
        hint={t(tag ? "content:pick.dropForTag" : "content:pick.drop")}
        group={`event ${eventId}`}
        onChosen={onChosen}
      />
      <div role="status" className="order-last grid basis-full gap-2 empty:sr-only">
        {repeated.map((item) => (
          <Notice
            key={item.id}
            tone="warning"
            title={t("content:pick.repeated", { title: item.title, count: item.count })}
          >
            <div className="flex flex-wrap gap-2">
              <Button variant="quiet" onClick={() => removeRepeated(item)}>
                {t("content:pick.removeRepeated")}
              </Button>
              <Button variant="quiet" onClick={() => dismiss(item.id)}>
                {t("content:pick.keepRepeated")}
              </Button>
            </div>
          </Notice>
        ))}
      </div>
    </>
  );
}
