import type { LinkSharing } from "~/domain/events/publish-checklist";
import type { LinkMode, Uuid } from "~/domain/shared/model";

/** Reports that the owner copied a link, or started an email with it (shared-link.ts). A failed report is ignored. */
export function reportSharedLink(eventId: Uuid, mode: LinkMode, by: LinkSharing): void {
  const body = new URLSearchParams({ mode, by });
  fetch(`/event/${eventId}/shared-link`, { method: "POST", body, redirect: "error", keepalive: true }).catch(
    () => undefined,
  );
}
