import { Form, useLocation } from "@remix-run/react";
import { type ReactNode, useContext, useEffect, useMemo } from "react";
import { UNSAFE_DataRouterStateContext as DataRouterState } from "react-router";
import { Anchor } from "~/components/anchor";
import { Toast, toastAction } from "~/components/status/toast";
import { useTranslation } from "~/i18n/translation";

/** Messages that a redirect may request by name. Text of the address itself is never displayed. */
const MESSAGES = {
  "event-updated": "shared-owners:toasts.eventUpdated",
  "event-from-template": "shared-owners:toasts.eventFromTemplate",
  "event-created": "shared-owners:toasts.eventCreated",
  "event-deleted": "shared-owners:toasts.eventDeleted",
  "event-restored": "shared-owners:toasts.eventRestored",
  "visits-deleted": "shared-owners:toasts.visitsDeleted",
  "steps-dismissed": "shared-owners:toasts.stepsDismissed",
  "space-created": "shared-owners:toasts.spaceCreated",
  "source-saved": "shared-owners:toasts.sourceSaved",
  "source-start-moved": "shared-owners:toasts.sourceStartMoved",
  "picture-saved": "shared-owners:toasts.pictureSaved",
  "sharing-saved": "shared-owners:toasts.sharingSaved",
  "sharing-ended": "shared-owners:toasts.sharingEnded",
  "content-saved": "shared-owners:toasts.contentSaved",
  "medium-added": "shared-owners:toasts.mediumAdded",
  "folder-created": "shared-owners:toasts.folderCreated",
  "item-renamed": "shared-owners:toasts.itemRenamed",
  "items-moved": "shared-owners:toasts.itemsMoved",
  "items-copied": "shared-owners:toasts.itemsCopied",
  "items-deleted": "shared-owners:toasts.itemsDeleted",
  undone: "shared-owners:toasts.undone",
  "partly-undone": "shared-owners:toasts.partlyUndone",
  "not-undone": "shared-owners:toasts.notUndone",
  "undo-name-taken": "shared-owners:toasts.undoNameTaken",
  "items-restored": "shared-owners:toasts.itemsRestored",
  "web-media-added": "shared-owners:toasts.webMediaAdded",
  "web-media-replaced": "shared-owners:toasts.webMediaReplaced",
  "web-media-refreshed": "shared-owners:toasts.webMediaRefreshed",
  "files-uploaded": "shared-owners:toasts.filesUploaded",
  "file-replaced": "shared-owners:toasts.fileReplaced",
  "logged-out": "shared-owners:toasts.loggedOut",
  "password-set": "shared-owners:toasts.passwordSet",
  "invitation-accepted": "shared-owners:toasts.invitationAccepted",
  "profile-saved": "shared-owners:toasts.profileSaved",
  "email-sent": "shared-owners:toasts.emailSent",
  "email-cancelled": "shared-owners:toasts.emailCancelled",
  "email-confirmed": "shared-owners:toasts.emailConfirmed",
  "password-changed": "shared-owners:toasts.passwordChanged",
  "passkey-added": "shared-owners:toasts.passkeyAdded",
  "passkey-renamed": "shared-owners:toasts.passkeyRenamed",
  "passkey-removed": "shared-owners:toasts.passkeyRemoved",
  "second-factor-removed": "shared-owners:toasts.secondFactorRemoved",
  "session-ended": "shared-owners:toasts.sessionEnded",
  "other-sessions-ended": "shared-owners:toasts.otherSessionsEnded",
  "sessions-ended": "shared-owners:toasts.sessionsEnded",
  "token-revoked": "shared-owners:toasts.tokenRevoked",
  "webhook-saved": "shared-owners:toasts.webhookSaved",
  "webhook-tested": "shared-owners:toasts.webhookTested",
  "webhook-paused": "shared-owners:toasts.webhookPaused",
  "webhook-started": "shared-owners:toasts.webhookStarted",
  "webhook-removed": "shared-owners:toasts.webhookRemoved",
  "message-resent": "shared-owners:toasts.messageResent",
  "deletion-requested": "shared-owners:toasts.deletionRequested",
  "deletion-withdrawn": "shared-owners:toasts.deletionWithdrawn",
  "users-changed": "shared-owners:toasts.usersChanged",
  "user-saved": "shared-owners:toasts.userSaved",
  "user-created": "shared-owners:toasts.userCreated",
  "user-created-quietly": "shared-owners:toasts.userCreatedQuietly",
  "user-restored": "shared-owners:toasts.userRestored",
  "user-removed": "shared-owners:toasts.userRemoved",
  "user-kept": "shared-owners:toasts.userKept",
  "user-invited": "shared-owners:toasts.userInvited",
  "second-factor-reset": "shared-owners:toasts.secondFactorReset",
  "group-created": "shared-owners:toasts.groupCreated",
  "group-saved": "shared-owners:toasts.groupSaved",
  "group-removed": "shared-owners:toasts.groupRemoved",
  "group-restored": "shared-owners:toasts.groupRestored",
  "member-added": "shared-owners:toasts.memberAdded",
  "member-removed": "shared-owners:toasts.memberRemoved",
} as const;

/** The same messages about records whose names are known. */
const NAMED = {
  "event-deleted": "shared-owners:toasts.namedEventDeleted",
  "event-restored": "shared-owners:toasts.namedEventRestored",
  "item-renamed": "shared-owners:toasts.namedRenamed",
  "items-moved": "shared-owners:toasts.namedMoved",
  "items-copied": "shared-owners:toasts.namedCopied",
  "items-deleted": "shared-owners:toasts.namedDeleted",
  "items-restored": "shared-owners:toasts.namedRestored",
  "sharing-saved": "shared-owners:toasts.sharedWith",
  "group-removed": "shared-owners:toasts.namedDeleted",
  "group-restored": "shared-owners:toasts.namedRestored",
  undone: "shared-owners:toasts.namedUndone",
  "partly-undone": "shared-owners:toasts.namedPartlyUndone",
} as const satisfies Partial<Record<keyof typeof MESSAGES, string>>;

/** Messages about a failure. */
const FAILURES: ReadonlySet<string> = new Set([
  "partly-undone",
  "not-undone",
  "undo-name-taken",
] satisfies (keyof typeof MESSAGES)[]);

/**
 * Toast that the address requests. With scripts the parameters are removed, so that a reload does not repeat the message. The response to a form
 * shows none, because the form's address may still contain the toast of the previous form.
 * @param named the records that the message is about, in quotes, as the server read them from a sealed parameter
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
    // The router is bypassed, because nothing has to be loaded or rendered again.
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
          ? t(NAMED[known as keyof typeof NAMED], { name: named })
          : t(MESSAGES[known]),
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
