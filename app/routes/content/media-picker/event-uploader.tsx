import { useRef } from "react";
import type { EventTag, Uuid } from "~/domain/shared/model";
import { Uploader } from "~/features/library/uploads/uploader";
import { useTranslation } from "~/i18n/translation";
import { nudgePosition } from "~/viewer/core/nudge";
import type { SurfaceHit } from "~/viewer/Viewer";
import { useEditorView } from "../editor/editor-context";
import { placeNew } from "../placement/placing";

/** Distance between files that are dropped together on a wall, in metres. */
const DROP_STEP = 1.25;

export interface EventUploaderProps {
  /** Tag that receives the files; null if they are for the event alone. */
  readonly tag: EventTag | null;
  /** Called with the library items that were added. */
  readonly onAdded?: (title: string) => void;
}

/**
 * Uploads files to the user's library and adds them to the event as they arrive. Files that are dropped on a surface of the space are placed there,
 * side by side.
 */
export function EventUploader({ tag, onAdded }: EventUploaderProps) {
  const { t, language } = useTranslation();
  const { editor, eventId, stage, uploadLeft } = useEditorView();
  const spots = useRef(new Map<string, SurfaceHit>());
  const tagId = tag?.id ?? null;
  const onDropped = (names: readonly string[], { x, y }: { readonly x: number; readonly y: number }) => {
    const section = document.elementFromPoint(x, y)?.closest("[data-stage]");
    const box = section?.getBoundingClientRect();
    const hit = box && stage.current?.pick(x - box.left, y - box.top);
    const yaw = stage.current?.viewpoint()?.yaw ?? 0;
    for (const [index, name] of names.entries()) {
      spots.current.delete(name);
      if (!hit) continue;
      const position = nudgePosition(hit.position, hit.normal, yaw, "right", index * DROP_STEP);
      spots.current.set(name, { ...hit, position });
    }
  };
  return (
    <Uploader
      folderId={null}
      ownerId={null}
      left={uploadLeft}
      inRow
      hint={t(tag ? "content:pick.dropForTag" : "content:pick.drop")}
      group={`event ${eventId}`}
      onDropped={onDropped}
      onUploaded={(item) => {
        if (!editor || item.kind === "subtitle") return;
        const id: Uuid = crypto.randomUUID();
        const spot = spots.current.get(item.file_name);
        spots.current.delete(item.file_name);
        const { tags } = editor.state().content;
        // The tag may have changed since the upload began.
        const mediaIds = tags.find((each) => each.id === tagId)?.mediaIds;
        editor.run([
          {
            op: "create_media",
            id,
            values: {
              libraryItemId: item.uuid,
              title: { ja: "", en: "", [language]: item.title },
              description: { ja: "", en: "" },
              placement: spot ? placeNew(spot) : null,
              hidden: false,
            },
            facts: {
              kind: item.kind,
              mimeType: item.mime_type,
              byteSize: item.byte_size,
              width: item.width,
              height: item.height,
              duration: null,
              hasStill: false,
              web: null,
            },
          },
          ...(tagId && mediaIds
            ? [{ op: "update_tag", id: tagId, values: { mediaIds: [...mediaIds, id] } } as const]
            : []),
        ]);
        onAdded?.(item.title);
      }}
    />
  );
}
