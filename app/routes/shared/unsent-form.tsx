import { useActionData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Toast } from "~/components/status/toast";
import { useTranslation } from "~/i18n/translation";

const UNREACHED = 503;

/** Action result of a form that did not reach the server. */
const UNSENT = "unsent";

/** Single-fetch encoding of an action that returns UNSENT. */
const answerOfNobody = () => new Response(`[{"_1":2},"data","${UNSENT}"]\n`, { status: UNREACHED });

/** Whether a form did not reach the server. Then no loader is called, because it could not reach the server either. */
export const isUnsent = ({ actionStatus }: { readonly actionStatus?: number }) => actionStatus === UNREACHED;

/** Whether a response comes from the application, not from a captive portal or a proxy. */
const isOurs = ({ headers }: Response) => headers.get("content-type")?.includes("text/x-script") === true;

let isGuarded = false;
let tell: ((why: "notSent" | "failed") => void) | null = null;

/**
 * Remix replaces the page with an error page when a form cannot reach the server, and the typed values are lost. This function returns a result
 * as if the form had been rejected without a message, so that the page keeps its values.
 */
function guardForms(): void {
  if (isGuarded) return;
  isGuarded = true;
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const isForm = input instanceof URL && init?.method === "POST" && input.pathname.endsWith(".data");
    if (!isForm) return fetch(input, init);
    let why: "notSent" | "failed" = "notSent";
    try {
      const answer = await fetch(input, init);
      if (!tell || isOurs(answer)) return answer;
      // The server was reached but has failed.
      if (answer.status === 500) why = "failed";
    } catch (error) {
      // Another navigation has aborted the request.
      if (!tell || init.signal?.aborted) throw error;
    }
    tell(why);
    return answerOfNobody();
  };
}

/** Result of the page's action. While a form did not reach the server, it is the previous result. */
export function useAnswer<Action>(): ReturnType<typeof useActionData<Action>> {
  const answer = useActionData<Action>();
  const [kept, setKept] = useState(answer);
  const isNew = answer !== kept && answer !== UNSENT;
  if (isNew) setKept(answer);
  return isNew ? answer : kept;
}

/** Notice that a form did not reach the server, also over an open dialog, until the form is sent again or the notice is closed. */
export function UnsentForm() {
  const { t } = useTranslation();
  const [times, setTimes] = useState(0);
  const [told, setTold] = useState<"notSent" | "failed" | null>(null);
  const [dialog, setDialog] = useState<Element | null>(null);
  useEffect(() => {
    guardForms();
    tell = (why) => {
      setTimes((before) => before + 1);
      setTold(why);
      // Content outside of a modal dialog can neither be focused nor announced.
      setDialog(document.querySelector("dialog:modal"));
    };
    const sentAgain = () => setTold(null);
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
        told ? { id: `unsent-${times}`, message: t(`shared-owners:lost.${told}`), tone: "danger" } : null
      }
    />
  );
  return dialog?.isConnected ? createPortal(toast, dialog) : toast;
}
