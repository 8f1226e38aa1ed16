import type { Lang, Uuid } from "~/domain/shared/model";
import type { FetchTakenNames } from "~/forms/events/use-taken-names";

/** Requests the names that are in use (name-check.ts). A redirect to the login page does not count as a response. */
export const requestTakenNames =
  (eventId: Uuid): FetchTakenNames =>
  async ({ ja, en }) => {
    const query = new URLSearchParams({ ja: ja ?? "", en: en ?? "" });
    const response = await fetch(`/event/${eventId}/name?${query}`, { redirect: "error" });
    if (!response.ok) throw new Error(String(response.status));
    return ((await response.json()) as { readonly taken: readonly Lang[] }).taken;
  };
