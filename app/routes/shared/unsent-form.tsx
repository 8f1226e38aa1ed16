import { useActionData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Toast } from "~/components/status/toast";
import { useTranslation } from "~/i18n/translation";

const UNREACHABLE_STATUS = 503;

/** Action result of a form that did not reach the server. */
const UNSENT = "unsent";

/** Start of the action result of a form that failed outside of the application (status 500 or higher); the form's id follows. */
const FAILED_PREFIX = "failed ";

/** Single-fetch encoding of an action that returns a text. */
const encodeResult = (result: string) =>
  new Response(`${JSON.stringify([{ _1: 2 }, "data", result])}\n`, { status: UNREACHABLE_STATUS });

/** Whether a form did not reach the application, or the application responded with 503. Then no loader is called, because it could fail, too. */
export const isUnsent = ({ actionStatus }: { readonly actionStatus?: number }) =>
  actionStatus === UNREACHABLE_STATUS;

/** Whether a response comes from the application, not from a captive portal or a proxy. */
const isFromApplication = ({ headers }: Response) =>
  headers.get("content-type")?.includes("text/x-script") === true;

let isGuarded = false;
let reportFailure: ((why: "notSent" | "failed") => void) | null = null;
/** The form that was submitted last. */
let submittedForm: HTMLFormElement | null = null;

/**
 * Wraps `fetch` for submitted forms. When a form does not reach the application, Remix would replace the page and its typed values by an error page, so
 * the wrapper returns an action result instead: UNSENT, or FAILED_PREFIX with the form's id.
 */
function guardForms(): void {
  if (isGuarded) return;
  isGuarded = true;
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const isForm = input instanceof URL && init?.method === "POST" && input.pathname.endsWith(".data");
    if (!isForm) return fetch(input, init);
    let reason: "notSent" | "failed" = "notSent";
    try {
      const response = await fetch(input, init);
      if (!reportFailure || isFromApplication(response)) return response;
      // The server was reached, but it or a proxy before it has failed.
      if (response.status >= 500) reason = "failed";
    } catch (error) {
      // The request was aborted by another navigation.
      if (!reportFailure || init.signal?.aborted) throw error;
    }
    reportFailure(reason);
    return encodeResult(reason === "failed" ? FAILED_PREFIX + submittedForm?.id : UNSENT);
  };
}

/** Result of the page's action. While a form did not reach the application, it is the previous result. */
export function useActionResult<Action>(): ReturnType<typeof useActionData<Action>> {
  const actionResult = useActionData<Action>();
  const [lastResult, setLastResult] = useState(actionResult);
  const isUnsentResult = actionResult === UNSENT || getFailedForm(actionResult) !== null;
  const isNew = actionResult !== lastResult && !isUnsentResult;
  if (isNew) setLastResult(actionResult);
  return isNew ? actionResult : lastResult;
}

const getFailedForm = (actionResult: unknown) =>
  typeof actionResult === "string" && actionResult.startsWith(FAILED_PREFIX)
    ? actionResult.slice(FAILED_PREFIX.length)
    : null;

/** Id of the form whose last submission has failed outside of the application; null if none has. */
export const useFailedForm = (): string | null => getFailedForm(useActionData<unknown>());

/**
 * Notice that a form did not reach the application. It is displayed, over an open dialog as well, until a form is submitted or the notice is closed.
 */
export function UnsentFormNotice() {
  const { t } = useTranslation();
  const [noticeCount, setNoticeCount] = useState(0);
  const [reason, setReason] = useState<"notSent" | "failed" | null>(null);
  const [dialog, setDialog] = useState<Element | null>(null);
  useEffect(() => {
    guardForms();
    reportFailure = (newReason) => {
      // The component of a form with data-shows-failure calls useFailedForm and shows the failure itself, if the form is still on the page.
      if (
        newReason === "failed" &&
        submittedForm?.isConnected &&
        submittedForm.hasAttribute("data-shows-failure")
      )
        return;
      setNoticeCount((count) => count + 1);
      setReason(newReason);
      // Content outside of a modal dialog can neither be focused nor announced.
      setDialog(document.querySelector("dialog:modal"));
    };
    const onSubmit = ({ target }: Event) => {
      submittedForm = target instanceof HTMLFormElement ? target : null;
      setReason(null);
    };
    addEventListener("submit", onSubmit);
    return () => {
      reportFailure = null;
      removeEventListener("submit", onSubmit);
    };
  }, []);
  const toast = (
    <Toast
      urgent
      toast={
        reason
          ? { id: `unsent-${noticeCount}`, message: t(`shared-owners:lost.${reason}`), tone: "danger" }
          : null
      }
    />
  );
  return dialog?.isConnected ? createPortal(toast, dialog) : toast;
}
