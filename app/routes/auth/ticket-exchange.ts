import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { SESSION_STORAGE_KEY } from "~/domain/auth/session";

/** The ticket that an earlier client left in local storage, which is without it from then on; null for none. */
function takeTicket(): string | null {
  try {
    const ticket = localStorage.getItem(SESSION_STORAGE_KEY);
    if (ticket !== null) localStorage.removeItem(SESSION_STORAGE_KEY);
    return ticket;
  } catch {
    // A browser that keeps nothing for sites has no storage to look into.
    return null;
  }
}

/** Takes a ticket out of local storage and exchanges it for the cookie; once. True as long as that is under way. */
export function useTicketExchange(next: string | null): boolean {
  const { submit, state } = useFetcher();
  useEffect(() => {
    const ticket = takeTicket();
    if (ticket !== null)
      submit({ "stored-ticket": ticket, next: next ?? "" }, { method: "post", action: "/login" });
  }, [submit, next]);
  // Should the server not take it, the form below is the way in.
  return state !== "idle";
}
