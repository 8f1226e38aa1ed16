import { type BlockerFunction, type Location, useBlocker } from "@remix-run/react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Button, ButtonRow } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { useTranslation } from "~/i18n/translation";

/** Location of a form. The typed values are lost when the page, or the dialog that contains the form, is closed. */
export type FormPlace = "page" | "dialog";

/** Callbacks and a dialog that protect unsaved input of a page. */
export interface LeaveGuard {
  /** `onPage` and `onDialog` report whether the form on the page or in the dialog has unsaved changes. */
  readonly onPage: (unsaved: boolean) => void;
  readonly onDialog: (unsaved: boolean) => void;
  /** Reports whether a panel that saves by itself has input that it could not save, for example invalid input. Hidden panels count. */
  readonly onPanels: (unsaved: boolean) => void;
  /** Marks a form as having no unsaved changes. */
  readonly release: (place: FormPlace) => void;
  /** Returns whether a form has unsaved changes. */
  readonly hasUnsaved: (place: FormPlace) => boolean;
  /** Lets the user confirm that unsaved input is discarded, and then calls `onDiscard`. */
  readonly confirm: (onDiscard: () => void) => void;
  /** Whether the form on the page has unsaved changes, as state. */
  readonly isPageUnsaved: boolean;
  /** Dialog in which the user confirms leaving, or discarding, unsaved input. */
  readonly question: ReactNode;
}

/** A ref, because navigation reads it and may start in the same tick as `release`. */
type Unsaved = { readonly current: Readonly<Record<FormPlace | "panels", boolean>> };
const hasUnsavedInput = ({ current }: Unsaved) => current.page || current.dialog || current.panels;

const dialogOf = ({ search }: Location) => new URLSearchParams(search).get("dialog");

/**
 * Asks the user for a confirmation before unsaved input is lost: with a dialog inside the app, and with the browser's own prompt when the user leaves
 * the app. Use it once on each page.
 */
export function useLeaveGuard(): LeaveGuard {
  const unsaved = useRef({ page: false, dialog: false, panels: false });
  const [isAnyUnsaved, setAnyUnsaved] = useState(false);
  const [isPageUnsaved, setPageUnsaved] = useState(false);
  const [discard, setDiscard] = useState<{ readonly run: () => void } | null>(null);
  const setUnsaved = useCallback((place: FormPlace | "panels", isUnsaved: boolean) => {
    unsaved.current[place] = isUnsaved;
    setAnyUnsaved(hasUnsavedInput(unsaved));
    setPageUnsaved(unsaved.current.page);
  }, []);
  const onPage = useCallback((isUnsaved: boolean) => setUnsaved("page", isUnsaved), [setUnsaved]);
  const onDialog = useCallback((isUnsaved: boolean) => setUnsaved("dialog", isUnsaved), [setUnsaved]);
  const onPanels = useCallback((isUnsaved: boolean) => setUnsaved("panels", isUnsaved), [setUnsaved]);
  const release = useCallback((place: FormPlace) => setUnsaved(place, false), [setUnsaved]);
  const hasUnsaved = useCallback((place: FormPlace) => unsaved.current[place], []);
  const confirm = useCallback((run: () => void) => setDiscard({ run }), []);
  const question = discard ? (
    <Question
      kind="discard"
      onStay={() => setDiscard(null)}
      onGo={() => {
        setDiscard(null);
        discard.run();
      }}
    />
  ) : (
    isAnyUnsaved && <LeaveQuestion unsaved={unsaved} />
  );
  return { onPage, onDialog, onPanels, release, hasUnsaved, confirm, isPageUnsaved, question };
}

function LeaveQuestion({ unsaved }: { readonly unsaved: Unsaved }) {
  const losesInput = useCallback<BlockerFunction>(
    ({ currentLocation: from, nextLocation: to }) => {
      const leaves = from.pathname !== to.pathname;
      const { page, dialog, panels } = unsaved.current;
      return ((page || panels) && leaves) || (dialog && (leaves || dialogOf(from) !== dialogOf(to)));
    },
    [unsaved],
  );
  const blocker = useBlocker(losesInput);
  useEffect(() => {
    const askBeforeUnload = (event: BeforeUnloadEvent) => {
      if (hasUnsavedInput(unsaved)) event.preventDefault();
    };
    window.addEventListener("beforeunload", askBeforeUnload);
    return () => window.removeEventListener("beforeunload", askBeforeUnload);
  }, [unsaved]);

  if (blocker.state !== "blocked") return null;
  return <Question kind="leave" onStay={() => blocker.reset()} onGo={() => blocker.proceed()} />;
}

interface QuestionProps {
  readonly kind: "leave" | "discard";
  readonly onStay: () => void;
  readonly onGo: () => void;
}

function Question({ kind, onStay, onGo }: QuestionProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t(`shared-owners:${kind}Title`)} size="small" onClose={onStay}>
      <div className="grid gap-6">
        <p className="text-phrase">{t(`shared-owners:${kind}Text`)}</p>
        <ButtonRow>
          <Button variant="primary" onClick={onStay}>
            {t("shared-owners:leaveStay")}
          </Button>
          <Button variant="quiet" onClick={onGo}>
            {t(`shared-owners:${kind}Go`)}
          </Button>
        </ButtonRow>
      </div>
    </Dialog>
  );
}
