import { useSearchParams } from "@remix-run/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { TextField } from "~/components/fields/text-field";
import { Notice } from "~/components/status/notice";
import { newMediaValues } from "~/domain/content/content";
import { inLanguage } from "~/domain/shared/localized";
import type { EventMedia, EventTag, Uuid } from "~/domain/shared/model";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { UploadResults } from "../../library/list/upload-results";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { listHref } from "../editor/panels";
import { useHiddenFile } from "../items/hidden-files";
import { ItemHead } from "../items/item-head";
import { EventUploader } from "./event-uploader";
import { LibraryChoices } from "./library-choices";
import { ExistingMediaRow, PickForm, PickRow } from "./pick-row";
import type { Picker } from "./read.server";

export interface MediaPickerProps {
  readonly picker: Picker;
  /** Tag that receives the media; null when they are chosen for the event. */
  readonly tag: EventTag | null;
  readonly outcome: ContentOutcome | null;
}

/** Chooses media of the event for a tag, media of the library, or web media by their URL. Each choice is a form. */
export function MediaPicker({ picker, tag, outcome }: MediaPickerProps) {
  const { t, language } = useTranslation();
  const message = useMessage();
  const [searchParams] = useSearchParams();
  const { editor, state } = useEditorView();
  const getHiddenFile = useHiddenFile();
  /** Ids of event media and of library items that were just added: they stay in their list with a mark, so that the focus stays on their row. */
  const [addedIds, setAddedIds] = useState<readonly Uuid[]>([]);
  const [announcement, setAnnouncement] = useState("");
  const tagMediaIds = new Set<string>(tag?.mediaIds);
  const attachable = tag
    ? state.content.media.filter(({ id }) => !tagMediaIds.has(id) || addedIds.includes(id)).reverse()
    : [];
  const createAttachEdit = (id: Uuid) =>
    tag && ({ op: "update_tag", id: tag.id, values: { mediaIds: [...tag.mediaIds, id] } } as const);
  const onAttach =
    ({ id, title }: EventMedia) =>
    (event: FormEvent) => {
      const edit = createAttachEdit(id);
      if (!editor || !edit) return;
      event.preventDefault();
      setAddedIds([...addedIds, id]);
      editor.run([edit]);
      setAnnouncement(t("content:pick.addedThis", { title: inLanguage(title, language).text }));
    };
  const onPick = (item: Picker["items"][number], eventMedia?: EventMedia) => (event: FormEvent) => {
    // If the event already has the media item, that one is attached to the tag.
    if (eventMedia && tag) return onAttach(eventMedia)(event);
    if (!editor) return;
    event.preventDefault();
    const id = crypto.randomUUID();
    const values = newMediaValues(item.id, item.title, language);
    const edit = createAttachEdit(id);
    editor.run([{ op: "create_media", id, values, metadata: item.metadata }, ...(edit ? [edit] : [])]);
    setAddedIds([...addedIds, item.id]);
    setAnnouncement(t("content:pick.addedThis", { title: item.title }));
  };
  const backHref = listHref(searchParams, tag ? { tag: tag.id } : {});
  return (
    <div className="flex flex-1 flex-col gap-8">
      <ItemHead
        type="media"
        title={tag ? tag.title : null}
        backHref={backHref}
        backLabel={tag ? t("content:backTo.form") : undefined}
      />
      {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
      {outcome?.upload && <UploadResults outcome={outcome.upload} />}
      <LibraryChoices
        picker={picker}
        upload={
          <EventUploader
            tag={tag}
            onAdded={(title) => setAnnouncement(t("content:pick.addedThis", { title }))}
          />
        }
        renderRow={(item) => {
          const rowProps = {
            kind: item.metadata.kind,
            title: item.title,
            image: item.image,
            hidden: item.hidden,
          };
          const eventMedia = state.content.media.find(({ libraryItemId }) => libraryItemId === item.id);
          const renderForm = (children: ReactNode) => (
            <PickForm tagId={tag?.id ?? null} onSubmit={onPick(item, eventMedia)}>
              <input type="hidden" name="libraryItemId" value={item.id} />
              {children}
            </PickForm>
          );
          const isJustAdded = addedIds.includes(item.id);
          return eventMedia && !tag && !isJustAdded ? (
            <ExistingMediaRow {...rowProps} openHref={listHref(searchParams, { medium: eventMedia.id })}>
              {renderForm(
                <Button type="submit" name="again" value="1" variant="quiet">
                  {t("content:pick.again")}
                </Button>,
              )}
            </ExistingMediaRow>
          ) : (
            renderForm(
              <>
                <PickRow
                  {...rowProps}
                  isAdded={isJustAdded || (eventMedia !== undefined && tagMediaIds.has(eventMedia.id))}
                />
                {eventMedia && isJustAdded && !tag && (
                  <LinkButton
                    href={listHref(searchParams, { medium: eventMedia.id })}
                    variant="quiet"
                    keepScroll
                  >
                    {t("content:pick.openThis")}
                  </LinkButton>
                )}
              </>,
            )
          );
        }}
      />
      {attachable.length > 0 && (
        <section aria-labelledby="pick-event" className="grid gap-2">
          <h3 id="pick-event" className="text-base font-semibold">
            {t("content:pick.ofEvent")}
          </h3>
          <ul className="ruled">
            {attachable.map((mediaItem) => (
              <li key={mediaItem.id}>
                <PickForm tagId={tag?.id ?? null} onSubmit={onAttach(mediaItem)}>
                  <input type="hidden" name="attach" value={mediaItem.id} />
                  <PickRow
                    kind={mediaItem.kind}
                    title={inLanguage(mediaItem.title, language).text}
                    image={null}
                    hidden={getHiddenFile(mediaItem)}
                    isAdded={tagMediaIds.has(mediaItem.id)}
                  />
                </PickForm>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="pick-web" className="grid gap-3">
        <h3 id="pick-web" className="text-base font-semibold">
          {t("content:pick.ofWeb")}
        </h3>
        <PickForm tagId={tag?.id ?? null} onSubmit={() => editor?.flush()}>
          <div className="grid flex-1 gap-2">
            <TextField
              name="url"
              id="pick-url"
              label={t("library:webMedia.url")}
              hint={t("library:webMedia.lead", {
                providers: picker.providers.join(t("shared-owners:listSeparator")),
              })}
              defaultValue={outcome?.web?.typed}
              error={outcome?.web && message(outcome.web.problem)}
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              required
            />
            <Button type="submit" icon="plus" className="w-fit">
              {t("content:pick.add")}
            </Button>
          </div>
        </PickForm>
      </section>
      <ButtonRow
        isActionBar={announcement !== ""}
        className={
          announcement
            ? "sticky bottom-0 z-10 -mx-4 mt-auto border-t border-line bg-raised px-4 py-3 sm:-mx-6 sm:px-6"
            : "sr-only"
        }
      >
        {announcement && (
          <LinkButton variant="primary" href={backHref} keepScroll>
            {t("content:pick.done")}
          </LinkButton>
        )}
        <p role="status" className="min-w-0 flex-1 text-sm text-muted wrap-anywhere">
          {announcement}
        </p>
      </ButtonRow>
    </div>
  );
}
