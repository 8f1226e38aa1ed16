/**
 * A store that a form without scripts has tested: its token is locked into the page that answers, so that the next form can save it and nobody
 * can read it there. It is for whoever has tested it, for this event and this store, and for a while.
 */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { TestedStore } from "~/domain/events/event-form";
import type { Uuid } from "~/domain/shared/model";
import { readStoreUrl } from "~/domain/store/store-url";

/** For how long, in milliseconds. */
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

/** Puts the token that was tested into a form that chooses it. What cannot be opened, or has a token typed beside it, stays for the form's rules. */
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

/** What the next form needs to choose the token of this one; null for one without a token, or without a store. */
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
