/** Asks the server what texts look like, as they are typed. */

import type { RichText } from "~/domain/content/rich-text";
import type { Lang, Uuid } from "~/domain/shared/model";

/** Texts with their marks read; null when nobody could be asked. Whoever is not logged in any more is led elsewhere, which is no answer. */
export async function askPreview(
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
