import { useSubmit } from "@remix-run/react";
import { useEffect, useState } from "react";
import { SESSION_STORAGE_KEY } from "~/domain/session";

/** Takes a ticket out of local storage, where an earlier client left it, and exchanges it for the cookie; once. */
export function useTicketExchange(next: string | null): boolean {
  const submit = useSubmit();
  const [restoring, setRestoring] = useState(false);
  useEffect(() => {
    const ticket = window.localStorage.getItem(SESSION_STORAGE_KEY);
    if (ticket === null) return;
    window.localStorage.removeItem(SESSION_STORAGE_KEY);
    setRestoring(true);
    submit({ "stored-ticket": ticket, next: next ?? "" }, { method: "post", action: "/login" });
    // Should the server not take it, the form below is the way in.
    const timer = setTimeout(() => setRestoring(false), 4000);
    return () => clearTimeout(timer);
  }, [submit, next]);
  return restoring;
}
