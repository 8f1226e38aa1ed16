import { type BlockerFunction, type Location, useBlocker } from "@remix-run/react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Button, ButtonRow } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { useTranslation } from "~/i18n/translation";

/** Where a form stands: on the page, with which it goes, or in a dialog, with which it goes as well. */
export type FormPlace = "page" | "dialog";

/** What a page with forms tells and shows so that nothing typed is lost unasked. */
export interface LeaveGuard {
  /** Hear whether the form in that place holds what is not saved. */
  readonly onPage: (unsaved: boolean) => void;
  readonly onDialog: (unsaved: boolean) => void;
  /** Hear whether anything in the panels of the page, shown or not, cannot be saved as it is. */
  readonly onPanels: (unsaved: boolean) => void;
  /** Somebody chose to give up what the form in a place holds. */
  readonly release: (place: FormPlace) => void;
  /** Whether the form in a place holds what is not saved. */
  readonly holds: (place: FormPlace) => boolean;
  /** Asks, when somebody is about to leave. */
  readonly question: ReactNode;
}

/** Read at the moment of leaving, which may be the one in which it was released. */
type Unsaved = { readonly current: Readonly<Record<FormPlace | "panels", boolean>> };
const isAny = ({ current }: Unsaved) => current.page || current.dialog || current.panels;

const dialogOf = ({ search }: Location) => new URLSearchParams(search).get("dialog");

/**
 * Asks before what was typed and not saved is lost: within the app by a dialog, on the way out of it by the browser's own
 * question. One a page.
 */
export function useLeaveGuard(): LeaveGuard {
  const unsaved = useRef({ page: false, dialog: false, panels: false });
  const [any, setAny] = useState(false);
  const note = useCallback((place: FormPlace | "panels", is: boolean) => {
    unsaved.current[place] = is;
    setAny(isAny(unsaved));
  }, []);
  const onPage = useCallback((is: boolean) => note("page", is), [note]);
  const onDialog = useCallback((is: boolean) => note("dialog", is), [note]);
  const onPanels = useCallback((is: boolean) => note("panels", is), [note]);
  const release = useCallback((place: FormPlace) => note(place, false), [note]);
  const holds = useCallback((place: FormPlace) => unsaved.current[place], []);
  return { onPage, onDialog, onPanels, release, holds, question: any && <LeaveQuestion unsaved={unsaved} /> };
}

function LeaveQuestion({ unsaved }: { readonly unsaved: Unsaved }) {
  const { t } = useTranslation();
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
  return (
    <Dialog title={t("events:leaveTitle")} size="small" onClose={() => blocker.reset()}>
      <div className="grid gap-6">
        <p className="text-phrase">{t("events:leaveText")}</p>
        <ButtonRow>
          <Button variant="primary" onClick={() => blocker.reset()}>
            {t("events:leaveStay")}
          </Button>
          <Button variant="quiet" onClick={() => blocker.proceed()}>
            {t("events:leaveGo")}
          </Button>
        </ButtonRow>
      </div>
    </Dialog>
  );
}
