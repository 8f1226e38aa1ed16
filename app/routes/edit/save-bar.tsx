import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Anchor } from "~/components/anchor";
import { Button, IconButton, LinkButton } from "~/components/button";
import { Icon, type IconName } from "~/components/icon";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import { findItem } from "~/editor/content";
import type { EditorNotice, SaveState } from "~/editor/editor";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { DiscardButton } from "./discard-button";
import { type EditorView, useEditorView } from "./editor-context";
import { formHref } from "./panels";
import { useUnfinished } from "./unfinished";

/** What the bar says: how saving stands, and `invalid` when all is saved but what is wrong. */
type Shown = SaveState | "invalid";

const SIGNS: Readonly<Record<Shown, readonly [icon: IconName, tone: string]>> = {
  saved: ["check", "text-muted"],
  saving: ["retry", "text-muted"],
  unsaved: ["edit", "text-muted"],
  offline: ["warning", "text-warning"],
  conflict: ["warning", "text-warning"],
  refused: ["warning", "text-danger"],
  invalid: ["warning", "text-danger"],
};

/** How what was done stands, and the way back and forth through it. Of no use without scripts, which save by themselves. */
export function SaveBar() {
  const { t, language } = useTranslation();
  const view = useEditorView();
  const { editor, state, unfinished } = view;
  useUndoKeys(view);
  const { count, hrefs } = useUnfinished(unfinished, state.content);
  const here = formHref(useSearchParams()[0]);
  // Of several forms the one that is open is mended first.
  const elsewhere = hrefs.includes(here) ? undefined : hrefs[0];
  const shown: Shown =
    count > 0 && ["saved", "saving", "unsaved"].includes(state.save) ? "invalid" : state.save;
  const words =
    shown === "invalid"
      ? t("content:save.invalid", { count })
      : t(`content:save.${shown === "saved" && view.isPublished ? "savedPublished" : shown}`);
  const [icon, tone] = SIGNS[shown];
  return (
    <div
      className="needs-script relative flex flex-wrap items-center gap-x-1 border-b border-line px-4 sm:px-6"
      hidden={!editor}
    >
      <p
        className={`flex min-h-10 min-w-0 flex-1 items-center gap-2 text-sm text-phrase ${isLong(shown) ? "basis-full" : "basis-40"} ${tone}`}
        data-save={shown}
      >
        <Icon name={icon} size={16} />
        {/* "Saving" and "saved" change with every pause of typing: only what needs somebody is read out. */}
        {shown === "invalid" && elsewhere ? (
          <Anchor href={elsewhere} keepScroll className="underline underline-offset-4">
            {words}
          </Anchor>
        ) : (
          <span>{words}</span>
        )}
      </p>
      <p role="status" className="sr-only">
        {SPOKEN.includes(shown) && words}
      </p>
      <DiscardButton href={shown === "invalid" ? elsewhere : undefined} />
      {(state.save === "offline" || state.save === "refused") && (
        <Button variant="quiet" icon="retry" onClick={() => editor?.flush()}>
          {t("content:save.retry")}
        </Button>
      )}
      {state.save === "refused" && (
        <LinkButton variant="quiet" icon="external" href="/login" target="_blank">
          {t("content:save.login")}
        </LinkButton>
      )}
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
      {/* Always there: what comes together with the place that reads it out is not read out. */}
      <div role="status">
        <Said
          key={state.notice?.number}
          text={state.notice ? noticeText(state.notice, view, t, language) : ""}
        />
      </div>
    </div>
  );
}

/** With buttons of their own and a sentence that does not fit beside them. */
const isLong = (shown: Shown) => shown === "offline" || shown === "refused";

const SPOKEN: readonly Shown[] = ["offline", "conflict", "refused", "invalid"];
/** How long a remark stays, in milliseconds. */
const REMARK_MS = 6000;

/** A remark about what has just happened, seen for a while. */
function Said({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(text !== "");
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), REMARK_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    shown && (
      // Over the form, which must not move under what somebody types or presses.
      <p className="pointer-events-none absolute inset-x-0 top-full border-y border-line bg-paper px-4 py-2 text-xs text-muted text-phrase shadow-raised sm:px-6">
        {text}
      </p>
    )
  );
}

function noticeText(notice: EditorNotice, { state }: EditorView, t: Translate, lang: Lang): string {
  switch (notice.kind) {
    case "others": {
      const name = notice.name || t("content:somebody");
      if (notice.event && notice.count === 0) return t("content:notice.othersEvent", { name });
      return t("content:notice.others", { name, count: notice.count });
    }
    case "not-deleted":
    case "not-done": {
      const item = findItem(state.content, notice.id);
      const title = item && "title" in item ? inLanguage(item.title, lang).text : "";
      return t(`content:notice.${notice.kind === "not-done" ? "notDone" : "notDeleted"}`, { title });
    }
    case "undo-skipped":
      return t("content:notice.undoSkipped");
    default:
      return t(`content:notice.${notice.kind}`);
  }
}

/** Whether keys belong to a control that takes back what was typed in it by itself. */
const isOther = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("dialog, form#event, [role=search]") !== null;

/** Ctrl/Cmd+Z takes back, with Shift or as Ctrl+Y it does again: everything in the session, whatever has the focus. */
function useUndoKeys({ editor }: EditorView) {
  useEffect(() => {
    if (!editor) return;
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isOther(event.target)) return;
      const key = event.key.toLowerCase();
      const redo = (key === "z" && event.shiftKey) || (key === "y" && event.ctrlKey);
      if (!redo && key !== "z") return;
      event.preventDefault();
      if (redo) editor.redo();
      else editor.undo();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [editor]);
}
