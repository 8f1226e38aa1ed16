import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { SESSION_STORAGE_KEY } from "~/domain/auth/session";

/** Reads and removes the ticket that an earlier client left in local storage; null if there is none. */
function takeTicket(): string | null {
  try {
    const ticket = localStorage.getItem(SESSION_STORAGE_KEY);
    if (ticket !== null) localStorage.removeItem(SESSION_STORAGE_KEY);
    return ticket;
  } catch {
    // Browsers that block site data throw when local storage is accessed.
    return null;
  }
}

/** Exchanges a ticket in local storage for the cookie, once. Returns true while the exchange is in progress. `next` is the page to open afterwards. */
export function useTicketExchange(next: string | null): boolean {
  const { submit, state } = useFetcher();
  useEffect(() => {
    const ticket = takeTicket();
    if (ticket !== null)
      submit({ "stored-ticket": ticket, next: next ?? "" }, { method: "post", action: "/login" });
  }, [submit, next]);
  return state !== "idle";
}
