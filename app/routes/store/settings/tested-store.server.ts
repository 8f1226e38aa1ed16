/**
 * Keeps the token of a store that a form without scripts has tested: the response contains it sealed, so that the next form can save it and
 * the page does not reveal it. It is valid for the same user, event and store, and for a limited time.
 */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { TestedStore } from "~/domain/events/event-form";
import type { Uuid } from "~/domain/shared/model";
import { readStoreUrl } from "~/domain/store/store-url";

/** Validity of a sealed token, in milliseconds. */
const LOCKED_MS = 30 * 60_000;

const text = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};

async function placeOf(context: AppLoadContext, eventId: Uuid, form: FormData) {
  const { sessionId } = await context.session.require();
  const address = readStoreUrl(text(form, "spStoreUrl"), (host) => context.site.storeHosts.includes(host));
  const storeUrl = "origin" in address ? address.origin : null;
  return { storeUrl, about: `store-token\n${sessionId}\n${eventId}\n${storeUrl}` };
}

/**
 * Puts the tested token into a form that chooses it. A seal that cannot be opened, or that comes with a typed token, is left to the form's
 * validation.
 */
export async function fillTestedToken(
  context: AppLoadContext,
  eventId: Uuid,
  form: FormData,
): Promise<boolean> {
  const [choice, locked] = [text(form, "spAccessTokenAgain"), text(form, "spAccessTokenTested")];
  form.delete("spAccessTokenTested");
  if (choice !== "tested" || text(form, "spAccessToken") !== "") return false;
  const { about } = await placeOf(context, eventId, form);
  const token = context.textSealer.open(about, locked);
  if (token === null) return false;
  form.set("spAccessToken", token);
  form.delete("spAccessTokenAgain");
  return true;
}

/** Seals the token of this form for the next one; null for a form without a token or without a store. */
export async function lockToken(
  context: AppLoadContext,
  eventId: Uuid,
  form: FormData,
): Promise<TestedStore | null> {
  const token = text(form, "spAccessToken");
  const { storeUrl, about } = await placeOf(context, eventId, form);
  if (token === "" || storeUrl === null) return null;
  return { storeUrl, locked: context.textSealer.seal(about, token, LOCKED_MS) };
}
