import { Form, useLocation } from "@remix-run/react";
import { type ReactNode, useContext, useEffect, useMemo } from "react";
import { UNSAFE_DataRouterStateContext as DataRouterState } from "react-router";
import { Anchor } from "~/components/anchor";
import { Toast, toastActionClasses } from "~/components/status/toast";
import { useTranslation } from "~/i18n/translation";

/** Messages that a redirect may request by name. Of the URL's text, only that of the sealed parameter `named` is displayed. */
const TOAST_NAMES = [
  "event-updated",
  "event-open-early",
  "event-opened",
  "event-waits",
  "store-not-connected",
  "event-from-template",
  "event-created",
  "event-deleted",
  "event-restored",
  "visits-deleted",
  "steps-dismissed",
  "space-created",
  "source-saved",
  "source-start-moved",
  "picture-saved",
  "sharing-saved",
  "sharing-ended",
  "content-saved",
  "medium-added",
  "folder-created",
  "item-renamed",
  "items-moved",
  "items-copied",
  "items-deleted",
  "undone",
  "partly-undone",
  "not-undone",
  "undo-name-taken",
  "items-restored",
  "web-media-added",
  "web-media-replaced",
  "web-media-refreshed",
  "files-uploaded",
  "file-replaced",
  "logged-out",
  "password-set",
  "invitation-accepted",
  "profile-saved",
  "email-sent",
  "email-cancelled",
  "email-confirmed",
  "password-changed",
  "passkey-added",
  "passkey-renamed",
  "passkey-removed",
  "second-factor-removed",
  "session-ended",
  "other-sessions-ended",
  "sessions-ended",
  "token-revoked",
  "webhook-saved",
  "webhook-tested",
  "webhook-paused",
  "webhook-started",
  "webhook-removed",
  "message-resent",
  "deletion-requested",
  "deletion-withdrawn",
  "users-changed",
  "user-saved",
  "user-created",
  "user-created-quietly",
  "user-restored",
  "user-removed",
  "user-kept",
  "user-invited",
  "second-factor-reset",
  "group-created",
  "group-saved",
  "group-removed",
  "group-restored",
  "member-added",
  "member-removed",
] as const;

type ToastName = (typeof TOAST_NAMES)[number];

type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

/** Key of a message in shared-owners:toasts: `eventUpdated` for "event-updated". The message of "partly-undone" exists only with names. */
const messageKey = <Name extends Exclude<ToastName, "partly-undone">>(name: Name) =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;

/** Keys of the messages that are shown instead if the names of the records are known. */
const MESSAGES_WITH_NAMES = {
  "event-deleted": "namedEventDeleted",
  "event-restored": "namedEventRestored",
  "item-renamed": "namedRenamed",
  "items-moved": "namedMoved",
  "items-copied": "namedCopied",
  "items-deleted": "namedDeleted",
  "items-restored": "namedRestored",
  "sharing-saved": "sharedWith",
  "group-removed": "namedDeleted",
  "group-restored": "namedRestored",
  undone: "namedUndone",
  "partly-undone": "namedPartlyUndone",
} as const satisfies Partial<Record<ToastName, string>>;

/** Messages about a failure. */
const FAILURES: ReadonlySet<string> = new Set([
  "partly-undone",
  "not-undone",
  "undo-name-taken",
  "store-not-connected",
] satisfies ToastName[]);

/**
 * Toast that the URL requests. With scripts the parameters are removed, so that a reload does not repeat the message. The response to a form
 * shows no toast, because the form's URL may still contain the toast of the previous form.
 * @param named text that names the records of the message, from a sealed parameter
 */
export function useToastFromUrl(named: string | null = null): ReactNode {
  const { t } = useTranslation();
  const { pathname, search, key } = useLocation();
  const isFormResponse = Boolean(useContext(DataRouterState)?.actionData);
  const requestedToast = new URLSearchParams(search).get("toast");
  const newToast = isFormResponse ? null : requestedToast;
  const toastName = TOAST_NAMES.find((each) => each === newToast) ?? null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same toast after another navigation must be removed, too
  useEffect(() => {
    const url = new URL(window.location.href);
    if (requestedToast === null || !url.searchParams.has("toast")) return;
    for (const parameter of TOAST_PARAMETERS) url.searchParams.delete(parameter);
    // The history is changed without the router, because nothing has to be loaded or rendered again.
    window.history.replaceState(window.history.state, "", url);
  }, [requestedToast, key]);

  const toast = useMemo(() => {
    if (!toastName) return null;
    const params = new URLSearchParams(search);
    const undo = params.get("undo");
    for (const parameter of TOAST_PARAMETERS) params.delete(parameter);
    return {
      id: key,
      message:
        named !== null && toastName in MESSAGES_WITH_NAMES
          ? t(`shared-owners:toasts.${MESSAGES_WITH_NAMES[toastName as keyof typeof MESSAGES_WITH_NAMES]}`, {
              name: named,
            })
          : t(`shared-owners:toasts.${messageKey(toastName === "partly-undone" ? "not-undone" : toastName)}`),
      tone: FAILURES.has(toastName) ? ("danger" as const) : ("success" as const),
      action: undo ? (
        <UndoForm undo={undo} back={`${pathname}?${params}`}>
          {t(`shared-owners:${toastName === "event-open-early" ? "waitForStart" : "undo"}`)}
        </UndoForm>
      ) : toastName === "items-deleted" ? (
        <Anchor href="?show=trash" className={toastActionClasses}>
          {t("shared-owners:toasts.toTrash")}
        </Anchor>
      ) : null,
    };
  }, [toastName, key, t, pathname, search, named]);
  return <Toast toast={toast} />;
}

/** `undo` identifies the change that the toast's button undoes, `same` lists changed items that now share their name with another one. */
const TOAST_PARAMETERS = ["toast", "undo", "same", "named"] as const;

interface UndoFormProps {
  /** The sealed change. */
  readonly undo: string;
  /** URL of the page to return to. */
  readonly back: string;
  readonly children: ReactNode;
}

/** Button of a toast that undoes the change. */
function UndoForm({ undo, back, children }: UndoFormProps) {
  return (
    <Form method="post" action="/undo" preventScrollReset>
      <input type="hidden" name="undo" value={undo} />
      <input type="hidden" name="back" value={back} />
      <button type="submit" className={toastActionClasses}>
        {children}
      </button>
    </Form>
  );
}
