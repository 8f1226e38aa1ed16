/** Requests the preview of texts from the server while they are typed. */

import type { RichText } from "~/domain/content/rich-text";
import type { Lang, Uuid } from "~/domain/shared/model";

/** Returns the parsed texts; null if the request fails. A redirect to the login page is a failure, too. */
export async function requestPreview(
  eventId: Uuid,
  texts: Readonly<Record<Lang, string>>,
  signal: AbortSignal,
): Promise<Readonly<Record<Lang, RichText>> | null> {
  const body = new FormData();
  body.set("body.ja", texts.ja);
  body.set("body.en", texts.en);
  try {
    const response = await fetch(`/event/${eventId}/texts`, {
      method: "POST",
      body,
      redirect: "error",
      signal,
    });
    return response.ok ? ((await response.json()) as Readonly<Record<Lang, RichText>>) : null;
  } catch {
    return null;
  }
}
