import { useActionData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Toast } from "~/components/toast";
import { useTranslation } from "~/i18n/translation";

const UNREACHED = 503;

/** In place of an action's answer: nobody has answered. */
const UNSENT = "unsent";

/** As the framework encodes an action that answers this. */
const answerOfNobody = () => new Response(`[{"_1":2},"data","${UNSENT}"]\n`, { status: UNREACHED });

/** Whether a form reached nobody: no screen is read anew then, which would reach nobody either. */
export const isUnsent = ({ actionStatus }: { readonly actionStatus?: number }) => actionStatus === UNREACHED;

/** Whether an answer is the server's own, and not of something before it: a network that wants one to log in, or a proxy that reaches nobody. */
const isOurs = ({ headers }: Response) => headers.get("content-type")?.includes("text/x-script") === true;

let isGuarded = false;
let tell: (() => void) | null = null;

/**
 * A form that reaches nobody would be replaced by a page that says so, and what was typed would be gone. Here it is told as if it had been
 * refused without a word: it stays, with all that is in it.
 */
function guardForms(): void {
  if (isGuarded) return;
  isGuarded = true;
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const isForm = input instanceof URL && init?.method === "POST" && input.pathname.endsWith(".data");
    if (!isForm) return fetch(input, init);
    try {
      const answer = await fetch(input, init);
      if (!tell || isOurs(answer)) return answer;
    } catch (error) {
      // Somebody went elsewhere meanwhile.
      if (!tell || init.signal?.aborted) throw error;
    }
    tell();
    return answerOfNobody();
  };
}

/** What the action of a screen has answered; while a form reached nobody, what it answered before. */
export function useAnswer<Action>(): ReturnType<typeof useActionData<Action>> {
  const answer = useActionData<Action>();
  const [kept, setKept] = useState(answer);
  const isNew = answer !== kept && answer !== UNSENT;
  if (isNew) setKept(answer);
  return isNew ? answer : kept;
}

/** Says that a form reached nobody, over an open dialog as well, until it is sent again or closed. */
export function UnsentForm() {
  const { t } = useTranslation();
  const [times, setTimes] = useState(0);
  const [isTold, setTold] = useState(false);
  const [dialog, setDialog] = useState<Element | null>(null);
  useEffect(() => {
    guardForms();
    tell = () => {
      setTimes((before) => before + 1);
      setTold(true);
      // What stands beside an open dialog can neither be reached nor heard.
      setDialog(document.querySelector("dialog:modal"));
    };
    const sentAgain = () => setTold(false);
    addEventListener("submit", sentAgain);
    return () => {
      tell = null;
      removeEventListener("submit", sentAgain);
    };
  }, []);
  const toast = (
    <Toast
      urgent
      toast={
        isTold ? { id: `unsent-${times}`, message: t("shared-owners:lost.notSent"), tone: "danger" } : null
      }
    />
  );
  return dialog?.isConnected ? createPortal(toast, dialog) : toast;
}
