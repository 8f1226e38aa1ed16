import { Form, useSearchParams } from "@remix-run/react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { Notice } from "~/components/status/notice";
import { EmptyState } from "~/components/status/states";
import type { PartType } from "~/domain/content/content";
import { readInteger } from "~/domain/shared/fields.schema";
import { isUuid } from "~/domain/shared/ids";
import { EVENT_TAGS_MAX } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import type { EventMedia, EventTag, Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { type AccessibleList, tagAnchor } from "~/viewer/Viewer";
import { SelectionBar } from "../../folders/selection";
import { useEditorView } from "../editor/editor-context";
import type { Copied } from "../editor/read.server";
import { useHiddenFile } from "../items/hidden-files";
import { findFarAwayIds } from "../placement/far-notice";
import { NotConnected } from "../placement/not-connected";
import { ActionButton } from "./action-button";
import { AddItems } from "./add-items";
import { CopiedNotice } from "./copied-notice";
import { ItemRow, ROW_FORM_ID } from "./item-row";
import { createdIds, listEdits, parseListAction } from "./list-actions";
import { filterItems, readListQuery } from "./list-filter";
import { ListQueryForm } from "./list-query-form";
import { RestoreNotice } from "./restore-notice";
import { TrashNotice } from "./trash-notice";
import { useDragOrder } from "./use-drag-order";
import { useTypedQuery } from "./use-live-query";
import { useMediaUsageText } from "./use-media-usage-text";
import { LAZY_ROWS_FROM, useRows } from "./use-rows";

const NO_IDS: readonly Uuid[] = [];

export interface ItemsPanelProps {
  readonly type: PartType;
  readonly accessibleList: AccessibleList;
  /** Item whose form was open before; its row receives the focus. */
  readonly returnTo: Uuid | null;
  readonly copied: Copied;
}

/** List of all tags or all media items of the event, with actions on several of them. */
export function ItemsPanel({ type, accessibleList, returnTo, copied: copiedTo }: ItemsPanelProps) {
  const { t, language } = useTranslation();
  const { state, editor, placing, onPlacing, canPlace } = useEditorView();
  const [searchParams] = useSearchParams();
  const { query, onTyped, selectionKey } = useTypedQuery();
  const { content } = state;
  // Tags are in the owner's order, as visitors see them. Media have no order, so the newest are at the top, below the button that adds them.
  const items = useMemo<readonly (EventTag | EventMedia)[]>(
    () => (type === "tag" ? content.tags : [...content.media].reverse()),
    [type, content],
  );
  const matches = useMemo(() => filterItems(items, readListQuery(query)), [items, query]);
  const farAwayIds = useMemo(() => findFarAwayIds(content), [content]);
  const getHiddenFile = useHiddenFile();
  const getUsageText = useMediaUsageText(content.tags);
  const rows = useRows(matches, query);
  const readParam = (name: string) => searchParams.get(name) ?? "";
  const idsInParam = (name: string) => readParam(name).toLowerCase().split(" ").filter(isUuid);
  /** Stored by type, because the user can switch between the two lists. */
  const [deletedByType, setDeletedByType] = useState<Partial<Record<PartType, readonly Uuid[]>>>({});
  const deleted = deletedByType[type] ?? NO_IDS;
  /** Number of actions that discarded the selection. A row's own button keeps the selection. A new number mounts the list again. */
  const [actionCount, setActionCount] = useState(0);
  /** Ids of new copies, which are selected until `selectionKey` changes. */
  const [copies, setCopies] = useState({ selectionKey, ids: idsInParam("copies") as readonly Uuid[] });
  const copyIds = copies.selectionKey === selectionKey ? copies.ids : NO_IDS;
  const setCopyIds = (ids: readonly Uuid[]) => setCopies({ selectionKey, ids });
  const list = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The pressed button disappeared with the previous selection, so the first copy receives the focus.
    if (actionCount === 0 || copyIds.length === 0) return;
    const firstCopy = list.current?.querySelector<HTMLElement>("input[name=item]:checked");
    firstCopy?.focus({ preventScroll: true });
    // The action bar covers the end of the list.
    firstCopy?.scrollIntoView({ block: "center" });
  }, [actionCount, copyIds]);
  const drag = useDragOrder({
    isEnabled: type === "tag" && editor !== null,
    order: () => content.tags.map(({ id }) => id),
    onMove: (ids, before) => editor?.run([{ op: "move_tags", ids, before }]),
  });
  // Without scripts the URL contains the ids of the calls that deleted items, because the ids of all deleted items do not fit.
  const callIds = deleted.length === 0 ? idsInParam("deleted") : [];
  const deletedCount = callIds.length > 0 ? (readInteger(readParam("count"), 1, EVENT_TAGS_MAX) ?? 1) : 0;
  const existingIds = new Set(items.map(({ id }) => id));
  const deletedIds = [...new Set([...deleted, ...idsInParam("restore")])].filter(
    (id) => !existingIds.has(id),
  );
  const onlyDeleted = deletedIds.length > 1 ? null : content.deleted[deletedIds[0] ?? ""]?.item;
  /** Item whose row receives the focus: the one whose form was open before, or the first one of the last action. */
  const focusTargetId = useRef(returnTo);
  const restoreNotice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the actions that can remove the focused element
  useEffect(() => {
    if (!focusTargetId.current || document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>(`#${tagAnchor(focusTargetId.current)} a`);
    (row ?? restoreNotice.current?.querySelector("button"))?.focus();
  }, [actionCount, deleted, deletedIds.length]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const listAction = parseListAction(submitter?.value ?? "");
    const formData = new FormData(event.currentTarget);
    if (!editor || !listAction || formData.has("act")) {
      editor?.flush();
      return;
    }
    event.preventDefault();
    const { action, onlyId } = listAction;
    const ids = onlyId ? [onlyId] : formData.getAll("item").map(String);
    const edits = listEdits(content, action, type, ids, () => crypto.randomUUID());
    editor.run(edits);
    focusTargetId.current = ids[0] ?? null;
    // The copies become the selection, so that the next action applies to them.
    if (action === "duplicate") setCopyIds(createdIds(edits));
    else if (action === "delete" || action === "restore") setCopyIds([]);
    if (action === "delete") setDeletedByType({ ...deletedByType, [type]: ids });
    if (action === "duplicate" || (action === "delete" && !onlyId)) setActionCount(actionCount + 1);
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <AddItems type={type} />
      {editor && type === "tag" && <NotConnected />}
      {items.length > 0 && (
        <ListQueryForm type={type} matchCount={matches.length} currentQuery={query} onTyped={onTyped} />
      )}
      {matches.length > 0 && query.get("show") === "unplaced" && (
        <p className="text-sm text-muted text-phrase">{t(`content:placeEach.${type}`)}</p>
      )}
      {!editor && searchParams.has("done") && (
        <Notice tone="success" title={t("shared-owners:toasts.contentSaved")} live />
      )}
      {copiedTo && readParam("copied") === copiedTo.id && <CopiedNotice copied={copiedTo} type={type} />}
      {type === "media" && <TrashNotice />}
      <RestoreNotice
        ref={restoreNotice}
        type={type}
        ids={callIds.length > 0 ? [] : deletedIds}
        callIds={callIds}
        count={deletedCount || deletedIds.length}
        title={onlyDeleted ? inLanguage(onlyDeleted.title, language).text : null}
        onSubmit={onSubmit}
      />
      {/* The rows' own buttons are not in the list's form, in which Enter presses the first button. */}
      <Form id={ROW_FORM_ID} method="post" onSubmit={onSubmit} hidden>
        <input type="hidden" name="intent" value="list" />
        <input type="hidden" name="type" value={type} />
      </Form>
      {items.length === 0 ? (
        <EmptyState icon={type === "tag" ? "place" : "picture"} title={t(`content:empty.${type}`)}>
          {t(`content:emptyText.${type}`)}
        </EmptyState>
      ) : matches.length === 0 ? (
        <p className="text-muted text-phrase">{t("shared-owners:nothingFound")}</p>
      ) : (
        <Form
          ref={list}
          method="post"
          key={`${selectionKey} ${actionCount}`}
          onSubmit={onSubmit}
          aria-label={t(`content:panels.${type === "tag" ? "tags" : "media"}`)}
          className="group/list grid grid-cols-1"
        >
          <input type="hidden" name="intent" value="list" />
          <input type="hidden" name="type" value={type} />
          <ul id="list" tabIndex={-1} className="-mx-2 ruled" {...drag}>
            {rows.map((item) => (
              <ItemRow
                key={item.id}
                item={item}
                type={type}
                searchParams={query}
                entry={accessibleList.entry}
                isInLongList={items.length > LAZY_ROWS_FROM}
                hidden={"libraryItemId" in item ? getHiddenFile(item) : null}
                usedIn={type === "media" ? getUsageText(item.id) : null}
                isFarAway={farAwayIds.has(item.id)}
                isSelected={copyIds.includes(item.id)}
                isDraggable={type === "tag" && editor !== null}
                onPlacing={editor && canPlace ? onPlacing : null}
                isPlacing={placing?.type === type && placing.id === item.id}
              />
            ))}
          </ul>
          <SelectionBar size={matches.length}>
            {type === "tag" && <ActionButton action="up" icon="chevron-up" />}
            {type === "tag" && <ActionButton action="down" icon="chevron-down" />}
            <ActionButton action="duplicate" icon="copy" />
            <ActionButton action="hide" icon="eye-off" />
            <ActionButton action="show" icon="eye" />
            <ActionButton action="copy" icon="move-into" />
            <ActionButton action="delete" icon="trash" />
          </SelectionBar>
        </Form>
      )}
    </div>
  );
}
