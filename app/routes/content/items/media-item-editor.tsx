import { Form, useSearchParams } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { DefaultSubmit, LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";
import type { MediaValues } from "~/domain/content/content";
import { inLanguage } from "~/domain/shared/localized";
import type { EventMedia } from "~/domain/shared/model";
import { checkMediaItem } from "~/forms/content/content-check";
import { ContentErrorSummary } from "~/forms/content/content-errors";
import { selectControls } from "~/forms/content/content-field";
import { MediaItemFormFields } from "~/forms/content/media-item-form";
import {
  MEDIA_ITEM_CONTROLS,
  MEDIA_ITEM_FIELDS,
  type MediaItemInput,
  mediaItemInput,
} from "~/forms/content/media-item-input";
import { useMessage } from "~/forms/shared/user-message";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { useTranslation } from "~/i18n/translation";
import { HiddenNotice } from "../../library/list/hidden-notice";
import { mediaItemStage } from "../../visitors/media/media-item-stage";
import { ConflictNotice, FormConflict, useValueLabels } from "../drafts/conflict-notice";
import { SaveRow } from "../drafts/save-row";
import { useDraft } from "../drafts/use-draft";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { listHref } from "../editor/panels";
import { FarNotice } from "../placement/far-notice";
import { NudgeTools, PlaceTools } from "../placement/place-tools";
import { fileUrl, useStableValue } from "../placement/use-stage-content";
import { DraftNotice } from "./draft-notice";
import { useHiddenFile } from "./hidden-files";
import { ItemFormActions } from "./item-form-actions";
import { ItemHead } from "./item-head";

const EmbeddedMediaItem = createLatePart(
  withMessages(["visitors-late"], () => import("../../visitors/media/embedded-media-item")),
);

const EDITED_FIELDS = ["title", "description", "placement", "hidden"];

/** Form of one media item: its texts, and how it is placed in the space. With scripts it saves automatically. */
export function MediaItemEditor({
  item,
  outcome,
}: {
  readonly item: EventMedia;
  readonly outcome: ContentOutcome | null;
}) {
  const { t, language } = useTranslation();
  const message = useMessage();
  const labels = useValueLabels();
  const [searchParams] = useSearchParams();
  const { editor, state } = useEditorView();
  const form = useRef<HTMLFormElement>(null);
  const { id } = item;
  const draft = useDraft<MediaValues, MediaItemInput>({
    item,
    fields: EDITED_FIELDS,
    rejected: outcome?.mediaItem ?? null,
    toInput: mediaItemInput,
    read: checkMediaItem,
    onValues: (values, name) => {
      editor?.run([{ op: "update_media", id, values }], `${id} ${name}`);
      return editor !== null;
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the editor is ready, to save text that was typed before hydration
  useEffect(() => {
    if (!editor || !form.current) return;
    const formData = new FormData(form.current);
    for (const name of MEDIA_ITEM_FIELDS) {
      const value = formData.get(name);
      if (typeof value === "string" && value !== draft.input[name]) draft.onField(name, value);
    }
  }, [editor]);
  // Null for media that are not 3D.
  const viewerData = mediaItemStage(item, fileUrl(item.libraryItemId));
  // A new object would make an open viewer load the file again.
  const embeddedMediaItem = useStableValue({
    ...item,
    title: inLanguage(item.title, language),
    frame: null,
    stage: viewerData,
  });
  const hiddenFile = useHiddenFile()(item);
  const conflict = state.conflicts.find((candidate) => candidate.id === id);
  return (
    <div className="grid grid-cols-1 gap-6">
      <ItemHead type="media" title={item.title} isDraft={item.hidden} backHref={listHref(searchParams)} />
      {item.hidden && <DraftNotice type="media" id={id} />}
      <FarNotice id={id} />
      {conflict && <ConflictNotice conflict={conflict} />}
      {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
      {outcome?.conflict && (
        <FormConflict conflict={outcome.conflict} savedValuesHref={listHref(searchParams, { medium: id })} />
      )}
      {hiddenFile && <HiddenNotice {...hiddenFile} />}
      {viewerData && <EmbeddedMediaItem item={embeddedMediaItem} />}
      <Form
        ref={form}
        method="post"
        aria-label={t("content:media.form")}
        onSubmit={(event) => {
          if (!editor) return;
          event.preventDefault();
          editor.flush();
        }}
        className="grid grid-cols-1 gap-6"
      >
        <DefaultSubmit />
        <input type="hidden" name="intent" value="medium" />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="version" value={outcome?.conflict?.version ?? item.version} />
        {/* `editor` is null without scripts, and until it has loaded. */}
        {!editor && (
          <ContentErrorSummary
            id="medium"
            errors={draft.errors}
            controls={selectControls(MEDIA_ITEM_CONTROLS, language)}
            labels={labels}
          />
        )}
        <MediaItemFormFields
          id="medium"
          input={draft.input}
          errors={draft.errors}
          onField={draft.onField}
          kind={item.kind}
          placeTools={editor && <PlaceTools type="media" id={id} />}
          nudgeTools={editor && <NudgeTools id={id} />}
        />
        {!editor && <SaveRow backHref={listHref(searchParams)} overwrites={Boolean(outcome?.conflict)} />}
      </Form>
      <LinkButton
        href={`/library/items/${item.libraryItemId}`}
        variant="quiet"
        icon="library"
        className="-ml-3 w-fit"
      >
        {t("content:media.inLibrary")}
      </LinkButton>
      <ItemFormActions type="media" id={id} />
    </div>
  );
}
