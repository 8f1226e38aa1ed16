import { useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useMemo } from "react";
import { Toast } from "~/components/toast";
import { useTranslation } from "~/i18n/use-translation";

/** What a redirect may say on the page it leads to, by name: never text of the address itself. */
const MESSAGES = {
  "event-updated": "events.updated",
  "event-created": "spaces.eventCreated",
  "space-created": "spaces.created",
  "logged-out": "auth.loggedOut",
  "password-set": "auth.newPassword.done",
  "invitation-accepted": "auth.invitation.done",
  "approval-awaited": "auth.invitation.doneAwaits",
} as const;

/** The toast that the address asks for. With scripts the address is cleaned, so that a reload says nothing again. */
export function useToastFromAddress(): ReactNode {
  const { t } = useTranslation();
  const { search, key } = useLocation();
  const name = new URLSearchParams(search).get("toast");
  const known = name !== null && Object.hasOwn(MESSAGES, name) ? (name as keyof typeof MESSAGES) : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same toast at another arrival is to be cleaned away too
  useEffect(() => {
    const url = new URL(window.location.href);
    if (name === null || !url.searchParams.has("toast")) return;
    url.searchParams.delete("toast");
    // Not through the router: nothing has to be loaded or rendered again.
    window.history.replaceState(window.history.state, "", url);
  }, [name, key]);

  const toast = useMemo(
    () => (known ? { id: key, message: t(MESSAGES[known]), tone: "success" as const } : null),
    [known, key, t],
  );
  return <Toast toast={toast} />;
}
