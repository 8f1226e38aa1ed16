import { type BlockerFunction, type Location, useBlocker } from "@remix-run/react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Button, ButtonRow } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { useTranslation } from "~/i18n/translation";

/** Location of a form. Its input is lost when the page, or the dialog that contains it, closes. */
export type FormPlace = "page" | "dialog";

/** Callbacks and dialog that protect a page's unsaved input. */
export interface LeaveGuard {
  /** `onPage` and `onDialog` report whether the form there has unsaved changes. */
  readonly onPage: (unsaved: boolean) => void;
  readonly onDialog: (unsaved: boolean) => void;
  /** Reports whether any panel of the page, visible or hidden, contains input that cannot be saved. */
  readonly onPanels: (unsaved: boolean) => void;
  /** Discards the unsaved state of a form because the user gave its input up. */
  readonly release: (place: FormPlace) => void;
  /** Returns whether a form has unsaved changes. */
  readonly holds: (place: FormPlace) => boolean;
  /** Asks whether to discard unsaved input, and calls `onDiscard` if the user agrees. */
  readonly confirm: (onDiscard: () => void) => void;
  /** Whether the page's own form has unsaved changes, as state. */
  readonly isPageUnsaved: boolean;
  /** Dialog that asks before the user leaves with unsaved changes. */
  readonly question: ReactNode;
}

/** A ref, because the guard reads it during navigation, which can start in the same tick as `release`. */
type Unsaved = { readonly current: Readonly<Record<FormPlace | "panels", boolean>> };
const isAny = ({ current }: Unsaved) => current.page || current.dialog || current.panels;

const dialogOf = ({ search }: Location) => new URLSearchParams(search).get("dialog");

/**
 * Asks before unsaved input is lost: within the app by a dialog, when leaving the app by the browser's own
 * prompt. Use it once per page.
 */
export function useLeaveGuard(): LeaveGuard {
  const unsaved = useRef({ page: false, dialog: false, panels: false });
  const [any, setAny] = useState(false);
  const [isPageUnsaved, setPageUnsaved] = useState(false);
  const [discard, setDiscard] = useState<{ readonly run: () => void } | null>(null);
  const note = useCallback((place: FormPlace | "panels", is: boolean) => {
    unsaved.current[place] = is;
    setAny(isAny(unsaved));
    setPageUnsaved(unsaved.current.page);
  }, []);
  const onPage = useCallback((is: boolean) => note("page", is), [note]);
  const onDialog = useCallback((is: boolean) => note("dialog", is), [note]);
  const onPanels = useCallback((is: boolean) => note("panels", is), [note]);
  const release = useCallback((place: FormPlace) => note(place, false), [note]);
  const holds = useCallback((place: FormPlace) => unsaved.current[place], []);
  const confirm = useCallback((run: () => void) => setDiscard({ run }), []);
  const question = discard ? (
    <Question
      of="discard"
      onStay={() => setDiscard(null)}
      onGo={() => {
        setDiscard(null);
        discard.run();
      }}
    />
  ) : (
    any && <LeaveQuestion unsaved={unsaved} />
  );
  return { onPage, onDialog, onPanels, release, holds, confirm, isPageUnsaved, question };
}

function LeaveQuestion({ unsaved }: { readonly unsaved: Unsaved }) {
  const losesSomething = useCallback<BlockerFunction>(
    ({ currentLocation: from, nextLocation: to }) => {
      const leaves = from.pathname !== to.pathname;
      const { page, dialog, panels } = unsaved.current;
      return ((page || panels) && leaves) || (dialog && (leaves || dialogOf(from) !== dialogOf(to)));
    },
    [unsaved],
  );
  const blocker = useBlocker(losesSomething);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isAny(unsaved)) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);

  if (blocker.state !== "blocked") return null;
  return <Question of="leave" onStay={() => blocker.reset()} onGo={() => blocker.proceed()} />;
}

interface QuestionProps {
  readonly of: "leave" | "discard";
  readonly onStay: () => void;
  readonly onGo: () => void;
}

function Question({ of, onStay, onGo }: QuestionProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t(`shared-owners:${of}Title`)} size="small" onClose={onStay}>
      <div className="grid gap-6">
        <p className="text-phrase">{t(`shared-owners:${of}Text`)}</p>
        <ButtonRow>
          <Button variant="primary" onClick={onStay}>
            {t("shared-owners:leaveStay")}
          </Button>
          <Button variant="quiet" onClick={onGo}>
            {t(`shared-owners:${of}Go`)}
          </Button>
        </ButtonRow>
      </div>
    </Dialog>
  );
}
