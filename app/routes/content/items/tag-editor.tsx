import { Form, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useMemo, useRef } from "react";
import { DefaultSubmit } from "~/components/button";
import { Notice } from "~/components/status/notice";
import type { TagValues } from "~/domain/content/content";
import type { EventTag, Uuid } from "~/domain/shared/model";
import { checkTag } from "~/forms/content/content-check";
import { ContentErrorSummary } from "~/forms/content/content-errors";
import { selectControls } from "~/forms/content/content-field";
import { TagFormFields } from "~/forms/content/tag-form";
import {
  NEW_TAG,
  TAG_CONTROLS,
  TAG_INPUT_NAMES,
  type TagFormInput,
  tagInput,
  viewInput,
} from "~/forms/content/tag-form-input";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { TagProductField } from "../../store/products/tag-product-field";
import { ConflictNotice, FormConflict, useValueLabels } from "../drafts/conflict-notice";
import { SaveRow } from "../drafts/save-row";
import { useDraft } from "../drafts/use-draft";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { listHref, panelHref } from "../editor/panels";
import { listKeywords } from "../list/list-filter";
import { FarNotice } from "../placement/far-notice";
import { NudgeTools, PlaceTools } from "../placement/place-tools";
import { ViewTools } from "../placement/view-tools";
import { BodyPreview } from "./body-preview";
import { DraftNotice } from "./draft-notice";
import { ItemFormActions } from "./item-form-actions";
import { ItemHead } from "./item-head";
import { TagMedia } from "./tag-media";
import { findPlaceholderTitle, withoutTitleError } from "./untitled-tag";
import { useShowOnceNamed } from "./use-show-once-named";

export interface TagEditorProps {
  readonly id: Uuid;
  /** Undefined for a tag that is still to be created. */
  readonly tag: EventTag | undefined;
  readonly outcome: ContentOutcome | null;
}

const EDITED_FIELDS = Object.keys(NEW_TAG);

/** Form of one tag. With scripts it saves automatically; without scripts it is submitted. */
export function TagEditor({ id, tag, outcome }: TagEditorProps) {
  const { t, language } = useTranslation();
  const message = useMessage();
  const navigate = useNavigate();
  const [searchParams] = useSearchParams();
  const backHref = searchParams.get("from") === "store" ? panelHref("store") : listHref(searchParams);
  const { editor, state } = useEditorView();
  const labels = useValueLabels();
  const { tags } = state.content;
  const keywords = useMemo(() => listKeywords(tags, language), [tags, language]);
  const form = useRef<HTMLFormElement>(null);
  const item: TagValues = tag ?? NEW_TAG;
  const placeholder = tag ? findPlaceholderTitle(tag) : null;
  const delayedShow = useShowOnceNamed(id, tag);
  const save = (values: Partial<TagValues>, name: string) => {
    if (!editor) return false;
    if (tag) {
      editor.run([{ op: "update_tag", id, values }], `${id} ${name}`);
      return true;
    }
    if (!values.title) return false;
    // A new tag is created when its title is typed, together with all values that were typed before.
    const allValues = { ...NEW_TAG, ...checkTag(draftInput.current, item).values, ...values };
    if (!allValues.hidden) delayedShow.wait();
    editor.run([{ op: "create_tag", id, values: { ...allValues, hidden: true } }]);
    navigate(listHref(searchParams, { tag: id }), { replace: true, preventScrollReset: true });
    return true;
  };
  const draft = useDraft<TagValues, TagFormInput>({
    item,
    fields: EDITED_FIELDS,
    rejected: outcome?.tag ?? null,
    toInput: tagInput,
    read: checkTag,
    onValues: save,
  });
  const draftInput = useRef(draft.input);
  draftInput.current = draft.input;
  const onField = (name: string, value: string) => {
    draftInput.current = { ...draftInput.current, [name]: value };
    draft.onField(name, value);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the editor is ready, to save text that was typed before hydration
  useEffect(() => {
    if (!editor || !form.current) return;
    const formData = new FormData(form.current);
    const changes = TAG_INPUT_NAMES.flatMap((name) => {
      const value = formData.get(name);
      return typeof value === "string" && value !== draft.input[name] ? [[name, value] as const] : [];
    });
    for (const [name, value] of changes) onField(name, value);
  }, [editor]);
  const conflict = state.conflicts.find((candidate) => candidate.id === id);
  const errors = tag || draft.isEdited || outcome?.tag ? draft.errors : withoutTitleError(draft.errors);
  return (
    <div className="grid grid-cols-1 gap-6">
      <ItemHead type="tag" title={tag ? tag.title : null} isDraft={tag?.hidden} backHref={backHref} />
      {placeholder !== null && <Notice>{t("content:tag.unnamed", { title: placeholder })}</Notice>}
      {tag?.hidden && placeholder === null && (
        <DraftNotice type="tag" id={id} becomesVisible={delayedShow.isWaiting()} />
      )}
      {tag && <FarNotice id={id} />}
      {conflict && <ConflictNotice conflict={conflict} />}
      {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
      {outcome?.conflict && (
        <FormConflict conflict={outcome.conflict} savedValuesHref={listHref(searchParams, { tag: id })} />
      )}
      <Form
        ref={form}
        method="post"
        aria-label={t("content:tag.form")}
        onInput={({ target }) => {
          // The keyword field has its own state and reports changes only by an event.
          const field = target as HTMLInputElement;
          if (field.name === "keywords") onField("keywords", field.value);
        }}
        onFocus={({ target }) => {
          // Typing replaces the placeholder.
          if (placeholder !== null && target.name?.startsWith("title.") && target.value === placeholder)
            (target as unknown as HTMLInputElement).select();
        }}
        onSubmit={(event) => {
          if (!editor) return;
          event.preventDefault();
          delayedShow.show();
          editor.flush();
        }}
        className="grid grid-cols-1 gap-6"
      >
        <DefaultSubmit />
        <input type="hidden" name="intent" value="tag" />
        <input type="hidden" name="id" value={id} />
        {tag ? (
          <input type="hidden" name="version" value={outcome?.conflict?.version ?? tag.version} />
        ) : (
          <input type="hidden" name="new" value="1" />
        )}
        {!editor && (
          <ContentErrorSummary
            id="tag"
            errors={errors}
            controls={selectControls(TAG_CONTROLS, language)}
            labels={labels}
          />
        )}
        <TagFormFields
          id="tag"
          input={draft.input}
          errors={errors}
          resetCount={draft.resetCount}
          onField={onField}
          keywords={keywords}
          preview={
            <BodyPreview
              texts={{ ja: draft.input["body.ja"], en: draft.input["body.en"] }}
              submittedPreview={outcome?.preview ?? null}
            />
          }
          media={
            <TagMedia
              ids={draft.input.media}
              tagId={tag ? id : null}
              errors={errors.mediaIds}
              onChange={(media) => draft.change({ media }, "media")}
            />
          }
          product={
            <TagProductField
              product={{ id: draft.input["product.id"], title: draft.input["product.title"] }}
              tagId={tag ? id : null}
              errors={errors.product}
              onRemove={() => draft.change({ "product.id": "", "product.title": "" }, "product")}
            />
          }
          placeTools={editor && tag && <PlaceTools type="tag" id={id} />}
          nudgeTools={editor && tag && <NudgeTools id={id} />}
          viewTools={
            editor && (
              <ViewTools
                hasView={draft.input["view.mode"] !== ""}
                onView={(view) => draft.change(viewInput(view), "view")}
              />
            )
          }
        />
        {!editor && <SaveRow backHref={backHref} overwrites={Boolean(outcome?.conflict)} />}
      </Form>
      {tag && <ItemFormActions type="tag" id={id} />}
    </div>
  );
}
