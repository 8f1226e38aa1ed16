import { useActionData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Toast } from "~/components/status/toast";
import { useTranslation } from "~/i18n/translation";

const UNREACHED = 503;

/** Action result of a form that did not reach the server. */
const UNSENT = "unsent";

/** Single-fetch encoding of an action that returns UNSENT. */
const unsentResponse = () => new Response(`[{"_1":2},"data","${UNSENT}"]\n`, { status: UNREACHED });

/** Whether a form did not reach the server. Then no loader is called, because it could not reach the server either. */
export const isUnsent = ({ actionStatus }: { readonly actionStatus?: number }) => actionStatus === UNREACHED;

/** Whether a response comes from the application, not from a captive portal or a proxy. */
const isOurs = ({ headers }: Response) => headers.get("content-type")?.includes("text/x-script") === true;

let isGuarded = false;
let report: ((why: "notSent" | "failed") => void) | null = null;

/**
 * Remix would replace the page, with its typed values, by an error page when a form cannot reach the server. Returns instead the result of a
 * rejected form without a message.
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
      const response = await fetch(input, init);
      if (!report || isOurs(response)) return response;
      // The server was reached but has failed.
      if (response.status === 500) why = "failed";
    } catch (error) {
      // Another navigation has aborted the request.
      if (!report || init.signal?.aborted) throw error;
    }
    report(why);
    return unsentResponse();
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
  const [reason, setReason] = useState<"notSent" | "failed" | null>(null);
  const [dialog, setDialog] = useState<Element | null>(null);
  useEffect(() => {
    guardForms();
    report = (why) => {
      setTimes((before) => before + 1);
      setReason(why);
      // Content outside of a modal dialog can neither be focused nor announced.
      setDialog(document.querySelector("dialog:modal"));
    };
    const sentAgain = () => setReason(null);
    addEventListener("submit", sentAgain);
    return () => {
      report = null;
      removeEventListener("submit", sentAgain);
    };
  }, []);
  const toast = (
    <Toast
      urgent
      toast={
        reason ? { id: `unsent-${times}`, message: t(`shared-owners:lost.${reason}`), tone: "danger" } : null
      }
    />
  );
  return dialog?.isConnected ? createPortal(toast, dialog) : toast;
}
