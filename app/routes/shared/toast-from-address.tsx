import { Form, useLocation } from "@remix-run/react";
import { type ReactNode, useContext, useEffect, useMemo } from "react";
import { UNSAFE_DataRouterStateContext as DataRouterState } from "react-router";
import { Anchor } from "~/components/anchor";
import { Toast, toastAction } from "~/components/status/toast";
import { useTranslation } from "~/i18n/translation";

/** Keys of the messages (shared-owners:toasts) that a redirect may request by name. Text of the address itself is never displayed. */
const MESSAGES = {
  "event-updated": "eventUpdated",
  "event-from-template": "eventFromTemplate",
  "event-created": "eventCreated",
  "event-deleted": "eventDeleted",
  "event-restored": "eventRestored",
  "visits-deleted": "visitsDeleted",
  "steps-dismissed": "stepsDismissed",
  "space-created": "spaceCreated",
  "source-saved": "sourceSaved",
  "source-start-moved": "sourceStartMoved",
  "picture-saved": "pictureSaved",
  "sharing-saved": "sharingSaved",
  "sharing-ended": "sharingEnded",
  "content-saved": "contentSaved",
  "medium-added": "mediumAdded",
  "folder-created": "folderCreated",
  "item-renamed": "itemRenamed",
  "items-moved": "itemsMoved",
  "items-copied": "itemsCopied",
  "items-deleted": "itemsDeleted",
  undone: "undone",
  "partly-undone": "notUndone",
  "not-undone": "notUndone",
  "undo-name-taken": "undoNameTaken",
  "items-restored": "itemsRestored",
  "web-media-added": "webMediaAdded",
  "web-media-replaced": "webMediaReplaced",
  "web-media-refreshed": "webMediaRefreshed",
  "files-uploaded": "filesUploaded",
  "file-replaced": "fileReplaced",
  "logged-out": "loggedOut",
  "password-set": "passwordSet",
  "invitation-accepted": "invitationAccepted",
  "profile-saved": "profileSaved",
  "email-sent": "emailSent",
  "email-cancelled": "emailCancelled",
  "email-confirmed": "emailConfirmed",
  "password-changed": "passwordChanged",
  "passkey-added": "passkeyAdded",
  "passkey-renamed": "passkeyRenamed",
  "passkey-removed": "passkeyRemoved",
  "second-factor-removed": "secondFactorRemoved",
  "session-ended": "sessionEnded",
  "other-sessions-ended": "otherSessionsEnded",
  "sessions-ended": "sessionsEnded",
  "token-revoked": "tokenRevoked",
  "webhook-saved": "webhookSaved",
  "webhook-tested": "webhookTested",
  "webhook-paused": "webhookPaused",
  "webhook-started": "webhookStarted",
  "webhook-removed": "webhookRemoved",
  "message-resent": "messageResent",
  "deletion-requested": "deletionRequested",
  "deletion-withdrawn": "deletionWithdrawn",
  "users-changed": "usersChanged",
  "user-saved": "userSaved",
  "user-created": "userCreated",
  "user-created-quietly": "userCreatedQuietly",
  "user-restored": "userRestored",
  "user-removed": "userRemoved",
  "user-kept": "userKept",
  "user-invited": "userInvited",
  "second-factor-reset": "secondFactorReset",
  "group-created": "groupCreated",
  "group-saved": "groupSaved",
  "group-removed": "groupRemoved",
  "group-restored": "groupRestored",
  "member-added": "memberAdded",
  "member-removed": "memberRemoved",
} as const;

/** The same messages about records whose names are known. */
const NAMED = {
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
} as const satisfies Partial<Record<keyof typeof MESSAGES, string>>;

/** Messages about a failure. */
const FAILURES: ReadonlySet<string> = new Set([
  "partly-undone",
  "not-undone",
  "undo-name-taken",
] satisfies (keyof typeof MESSAGES)[]);

/**
 * Toast that the address requests. With scripts the parameters are removed, so that a reload does not repeat the message. The response to a form
 * shows no toast, because the form's address may still contain the toast of the previous form.
 * @param named names of the records that the message is about, in quotes, from a sealed parameter
 */
export function useToastFromAddress(named: string | null = null): ReactNode {
  const { t } = useTranslation();
  const { pathname, search, key } = useLocation();
  const isAnswer = Boolean(useContext(DataRouterState)?.actionData);
  const requestedToast = new URLSearchParams(search).get("toast");
  const name = isAnswer ? null : requestedToast;
  const known = name !== null && Object.hasOwn(MESSAGES, name) ? (name as keyof typeof MESSAGES) : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same toast after another navigation must be removed, too
  useEffect(() => {
    const url = new URL(window.location.href);
    if (requestedToast === null || !url.searchParams.has("toast")) return;
    for (const parameter of TOAST_PARAMETERS) url.searchParams.delete(parameter);
    // The history is changed without the router, because nothing has to be loaded or rendered again.
    window.history.replaceState(window.history.state, "", url);
  }, [requestedToast, key]);

  const toast = useMemo(() => {
    if (!known) return null;
    const params = new URLSearchParams(search);
    const undo = params.get("undo");
    for (const parameter of TOAST_PARAMETERS) params.delete(parameter);
    return {
      id: key,
      message:
        named !== null && known in NAMED
          ? t(`shared-owners:toasts.${NAMED[known as keyof typeof NAMED]}`, { name: named })
          : t(`shared-owners:toasts.${MESSAGES[known]}`),
      tone: FAILURES.has(known) ? ("danger" as const) : ("success" as const),
      action: undo ? (
        <UndoForm undo={undo} back={`${pathname}?${params}`} />
      ) : known === "items-deleted" ? (
        <Anchor href="?show=trash" className={toastAction}>
          {t("shared-owners:toasts.toTrash")}
        </Anchor>
      ) : null,
    };
  }, [known, key, t, pathname, search, named]);
  return <Toast toast={toast} />;
}

const TOAST_PARAMETERS = ["toast", "undo", "same", "named"] as const;

/** Button of a toast that undoes the change. */
function UndoForm({ undo, back }: { readonly undo: string; readonly back: string }) {
  const { t } = useTranslation();
  return (
    <Form method="post" action="/undo" preventScrollReset>
      <input type="hidden" name="undo" value={undo} />
      <input type="hidden" name="back" value={back} />
      <button type="submit" className={toastAction}>
        {t("shared-owners:undo")}
      </button>
    </Form>
  );
}
