import { useLocation } from "@remix-run/react";
import { type ReactNode, useContext, useEffect, useMemo } from "react";
import { UNSAFE_DataRouterStateContext as DataRouterState } from "react-router";
import { Toast } from "~/components/toast";
import type { WordKey } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";

/** What a redirect may say on the page it leads to, by name: never text of the address itself. */
const MESSAGES = {
  "event-updated": "errors.event.updated",
  "event-created": "spaces.eventCreated",
  "event-deleted": "spaceEvents.deleted",
  "event-restored": "spaceEvents.restored",
  "visits-deleted": "report.delete.done",
  "space-created": "spaces.created",
  "source-saved": "sources.saved",
  "picture-saved": "sources.pictureSaved",
  "sharing-saved": "spaces.sharing.saved",
  "sharing-ended": "spaces.sharing.ended",
  "content-saved": "editor.saved",
  "medium-added": "editor.pick.added",
  "folder-created": "tree.created",
  "item-renamed": "tree.renamed",
  "items-moved": "tree.moved",
  "items-copied": "tree.copied",
  "items-deleted": "tree.deleted",
  "items-restored": "tree.restored",
  "web-media-added": "webMedia.added",
  "web-media-replaced": "webMedia.replaced",
  "web-media-refreshed": "webMedia.refreshed",
  "files-uploaded": "library.upload.done",
  "file-replaced": "library.upload.replaced",
  "logged-out": "auth.loggedOut",
  "password-set": "auth.newPassword.done",
  "invitation-accepted": "auth.invitation.done",
  "profile-saved": "account.profile.saved",
  "email-sent": "account.email.sent",
  "email-cancelled": "account.email.cancelled",
  "email-confirmed": "account.email.confirmed",
  "password-changed": "account.password.changed",
  "passkey-added": "account.passkey.added",
  "passkey-renamed": "account.passkey.renamed",
  "passkey-removed": "account.passkey.removed",
  "second-factor-removed": "account.secondFactor.removed",
  "session-ended": "account.sessions.ended",
  "other-sessions-ended": "account.sessions.othersEnded",
  "sessions-ended": "account.sessions.allEnded",
  "token-revoked": "tokens.revoked",
  "webhook-saved": "webhooks.saved",
  "webhook-tested": "webhooks.tested",
  "webhook-paused": "webhooks.paused",
  "webhook-started": "webhooks.started",
  "webhook-removed": "webhooks.removed",
  "message-resent": "webhooks.resent",
  "deletion-requested": "account.data.requested",
  "deletion-withdrawn": "account.data.withdrawn",
  "users-changed": "admin.bulk.changed",
  "user-saved": "admin.user.saved",
  "user-created": "admin.user.created",
  "user-created-quietly": "admin.user.createdQuietly",
  "user-restored": "admin.user.restored",
  "user-removed": "admin.user.removed",
  "user-kept": "admin.user.kept",
  "user-invited": "admin.user.invited",
  "second-factor-reset": "admin.user.factorReset",
  "group-created": "admin.group.created",
  "group-saved": "admin.group.saved",
  "group-removed": "admin.group.removed",
  "group-restored": "admin.group.restored",
  "member-added": "admin.group.memberAdded",
  "member-removed": "admin.group.memberRemoved",
} as const;

/** Where a toast leads, by its name: on the page to which it came. */
const ACTIONS: Readonly<Partial<Record<keyof typeof MESSAGES, { href: string; label: WordKey }>>> = {
  "items-deleted": { href: "?show=trash", label: "tree.toTrash" },
};

/**
 * The toast that the address asks for. With scripts the address is cleaned, so that a reload says nothing again. The answer to a form says none: the
 * form may have been sent from a page whose address still names the success of the one before.
 */
export function useToastFromAddress(): ReactNode {
  const { t } = useTranslation();
  const { search, key } = useLocation();
  const isAnswer = Boolean(useContext(DataRouterState)?.actionData);
  const asked = new URLSearchParams(search).get("toast");
  const name = isAnswer ? null : asked;
  const known = name !== null && Object.hasOwn(MESSAGES, name) ? (name as keyof typeof MESSAGES) : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same toast at another arrival is to be cleaned away too
  useEffect(() => {
    const url = new URL(window.location.href);
    if (asked === null || !url.searchParams.has("toast")) return;
    url.searchParams.delete("toast");
    // Not through the router: nothing has to be loaded or rendered again.
    window.history.replaceState(window.history.state, "", url);
  }, [asked, key]);

  const toast = useMemo(() => {
    if (!known) return null;
    const action = ACTIONS[known];
    return {
      id: key,
      message: t(MESSAGES[known]),
      tone: "success" as const,
      ...(action && { action: { href: action.href, label: t(action.label) } }),
    };
  }, [known, key, t]);
  return <Toast toast={toast} />;
}
