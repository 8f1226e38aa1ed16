import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Anchor } from "~/components/anchor";
import { Button, IconButton, LinkButton } from "~/components/button";
import { Icon, type IconName } from "~/components/icon";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import { type EditorContent, findItem } from "~/features/content/editor/content";
import type { EditorNotice, SaveState } from "~/features/content/editor/editor";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { type EditorView, useEditorView } from "../editor/editor-context";
import { formHref, isListPanel, openItemId, readPanel } from "../editor/panels";
import { DiscardButton } from "./discard-button";
import { useUnsavedForms } from "./unsaved-forms";

/** State that the bar displays: the save state (`rejected`: for example, the session has ended), or `invalid` if invalid input is all that prevents saving. */
type SaveBarState = SaveState | "invalid";

const STATE_ICONS: Readonly<Record<SaveBarState, readonly [icon: IconName, tone: string]>> = {
  saved: ["check", "text-muted"],
  saving: ["retry", "text-muted"],
  unsaved: ["edit", "text-muted"],
  offline: ["warning", "text-warning"],
  conflict: ["warning", "text-warning"],
  rejected: ["warning", "text-danger"],
  invalid: ["warning", "text-danger"],
};

/** Shows the save state. Without scripts it is hidden, because each form is submitted. Its space is reserved before the editor is ready. */
export function SaveBar() {
  const { t, language } = useTranslation();
  const view = useEditorView();
  const { editor, state, unsavedForms } = view;
  useUndoKeys(view);
  const { count, hrefs } = useUnsavedForms(unsavedForms, state.content);
  const [searchParams] = useSearchParams();
  const currentHref = formHref(searchParams);
  // The open form has precedence over other invalid forms.
  const otherFormHref = hrefs.includes(currentHref) ? undefined : hrefs[0];
  const barState: SaveBarState =
    count > 0 && ["saved", "saving", "unsaved"].includes(state.save) ? "invalid" : state.save;
  const savedKey = view.hasUnsavedSettings
    ? "unsavedSettings"
    : view.isPublished && areItemsVisible(searchParams, state.content)
      ? "savedPublished"
      : "saved";
  const message =
    barState === "invalid"
      ? t("content:save.invalid", { count })
      : t(`content:save.${barState === "saved" ? savedKey : barState}`);
  const [icon, tone] = STATE_ICONS[barState === "saved" && view.hasUnsavedSettings ? "unsaved" : barState];
  return (
    <div
      className={`needs-script flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-1 ${isLong(barState) || barState === "invalid" ? "basis-full" : "basis-32 whitespace-nowrap"} ${editor ? "" : "invisible"}`}
    >
      <p
        className={`flex min-h-10 min-w-0 flex-1 items-center gap-2 text-sm text-phrase ${isLong(barState) ? "basis-full" : ""} ${tone}`}
        data-save={barState}
      >
        <Icon name={icon} size={16} />
        {barState === "invalid" && otherFormHref ? (
          <Anchor href={otherFormHref} keepScroll className="underline">
            {message}
          </Anchor>
        ) : (
          <span>{message}</span>
        )}
      </p>
      {/* "Saving" and "saved" change at every pause of typing, so screen readers announce only states that need an action. */}
      <p role="status" className="sr-only">
        {ANNOUNCED_STATES.includes(barState) && message}
      </p>
      <DiscardButton href={barState === "invalid" ? otherFormHref : undefined} />
      {(state.save === "offline" || state.save === "rejected") && (
        <Button variant="quiet" icon="retry" onClick={() => editor?.flush()}>
          {t("content:save.retry")}
        </Button>
      )}
      {state.save === "rejected" && (
        <LinkButton variant="quiet" icon="external" href="/login" target="_blank">
          {t("content:save.login")}
        </LinkButton>
      )}
      {/* The live region is always mounted: text that appears together with its live region is not announced. */}
      <div role="status">
        <NoticeText
          key={state.notice?.number}
          text={state.notice ? noticeText(state.notice, view, t, language) : ""}
        />
      </div>
    </div>
  );
}

/** Undo and redo, from the first change on. */
export function UndoButtons() {
  const { t } = useTranslation();
  const { editor, state } = useEditorView();
  if (!state.canUndo && !state.canRedo) return null;
  return (
    <>
      <IconButton
        icon="undo"
        label={t("content:undo")}
        aria-keyshortcuts="Control+Z Meta+Z"
        disabled={!state.canUndo}
        onClick={() => editor?.undo()}
      />
      <IconButton
        icon="undo"
        label={t("content:redo")}
        aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z Control+Y"
        disabled={!state.canRedo}
        onClick={() => editor?.redo()}
        className="[&_svg]:-scale-x-100"
      />
    </>
  );
}

/** Whether a state has buttons of its own and a sentence that does not fit beside them. */
const isLong = (barState: SaveBarState) => barState === "offline" || barState === "rejected";

const ANNOUNCED_STATES: readonly SaveBarState[] = ["offline", "conflict", "rejected", "invalid"];
/** Time for which a message stays visible, in milliseconds. */
const NOTICE_MS = 6000;

/** Text of a notice, visible for a short time. */
function NoticeText({ text }: { readonly text: string }) {
  const [isVisible, setVisible] = useState(text !== "");
  useEffect(() => {
    const timer = setTimeout(() => setVisible(false), NOTICE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    isVisible && (
      // The message covers the form, which must not move while the user types or clicks.
      <p className="pointer-events-none absolute inset-x-0 top-full border-y border-line bg-paper px-4 py-2 text-xs text-muted text-phrase shadow-raised sm:px-6">
        {text}
      </p>
    )
  );
}

/**
 * Text of a notice. `others` and `own`: another user, or the user in another window, changed something. `not-deleted`: an item was not deleted, because
 * another user has changed it. `not-done`: an action had no effect, because its item no longer exists or the event is full.
 */
function noticeText(notice: EditorNotice, { state }: EditorView, t: Translate, lang: Lang): string {
  switch (notice.kind) {
    case "others": {
      const name = notice.name || t("content:someone");
      if (notice.hasChangedSettings && notice.count === 0) return t("content:notice.othersEvent", { name });
      return t("content:notice.others", { name, count: notice.count });
    }
    case "not-deleted":
    case "not-done": {
      const item = findItem(state.content, notice.id);
      const title = item && "title" in item ? inLanguage(item.title, lang).text : "";
      return t(`content:notice.${notice.kind === "not-done" ? "notDone" : "notDeleted"}`, { title });
    }
    case "own":
      return notice.count > 0 ? t("content:notice.own", { count: notice.count }) : "";
    case "undo-skipped":
      return t("content:notice.undoSkipped");
    default:
      return t(`content:notice.${notice.kind}`);
  }
}

/** Whether visitors see what the panel shows: the item of the open form, or every item of the open list. Other panels have nothing that is hidden. */
function areItemsVisible(searchParams: URLSearchParams, content: EditorContent): boolean {
  const id = openItemId(searchParams);
  const panel = readPanel(searchParams);
  const list = isListPanel(panel) ? content[panel] : [];
  return (id === null ? list : list.filter((item) => item.id === id)).every(({ hidden }) => !hidden);
}

/** Whether the focused control has its own undo. */
const hasOwnUndo = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("dialog, form#event, [role=search]") !== null;

/** Ctrl/Cmd+Z undoes the session's last change; Ctrl/Cmd+Shift+Z or Ctrl+Y repeats the change that was undone last. Controls with their own undo keep these keys. */
function useUndoKeys({ editor }: EditorView) {
  useEffect(() => {
    if (!editor) return;
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || hasOwnUndo(event.target)) return;
      const key = event.key.toLowerCase();
      const isRedo = (key === "z" && event.shiftKey) || (key === "y" && event.ctrlKey);
      if (!isRedo && key !== "z") return;
      event.preventDefault();
      if (isRedo) editor.redo();
      else editor.undo();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [editor]);
}
