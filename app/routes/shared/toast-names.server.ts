import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Uuid } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";

/** Time for which the names of a toast are valid, in milliseconds. */
const TOAST_NAMES_VALID_MS = 60_000;

const purpose = (userId: Uuid) => `toast ${userId}`;

/**
 * The parameter `named` of a toast: the first name in quotes, and the number of the others. It is sealed (encrypted and signed for this user), so that
 * no link can put a text of its own into a toast. Without names there is no parameter.
 */
export function toastNames(
  { lang, textSealer }: AppLoadContext,
  userId: Uuid,
  names: readonly string[],
): { readonly named?: string } {
  const [name, ...otherNames] = names;
  if (name === undefined) return {};
  const { t } = languages[lang];
  const text =
    otherNames.length === 0
      ? t("shared-owners:toasts.name", { name })
      : t("shared-owners:toasts.names", { name, count: otherNames.length });
  return { named: textSealer.seal(purpose(userId), text, TOAST_NAMES_VALID_MS) };
}

/** Decrypts the parameter `named`; null if there is none, or if it is not valid for this user. */
export const openToastNames = (
  { textSealer }: AppLoadContext,
  userId: Uuid,
  named: string | null,
): string | null => (named ? textSealer.open(purpose(userId), named) : null);
