/**
 * Keeps the token of a store that a form without scripts has tested. The response contains the sealed (encrypted) token, so that the next form can save
 * it and the page does not reveal it. The seal is valid for one session, event and store, and for a limited time.
 */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { TestedStore } from "~/domain/events/event-form";
import type { Uuid } from "~/domain/shared/model";
import { readStoreUrl } from "~/domain/store/store-url";

/** Validity of a sealed token, in milliseconds. */
const TOKEN_VALID_MS = 30 * 60_000;

const fieldText = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};

async function readSealPurpose(context: AppLoadContext, eventId: Uuid, form: FormData) {
  const { sessionId } = await context.session.require();
  const parsedUrl = readStoreUrl(fieldText(form, "spStoreUrl"), (host) =>
    context.site.storeHosts.includes(host),
  );
  const storeUrl = "origin" in parsedUrl ? parsedUrl.origin : null;
  return { storeUrl, purpose: `store-token\n${sessionId}\n${eventId}\n${storeUrl}` };
}

/**
 * Sets the form's token field to the tested token, if the form requests it. If the seal is invalid, the field stays empty, and the form's validation
 * requires a token. A typed token takes precedence over the tested one.
 * @returns whether the tested token was set
 */
export async function fillTestedToken(
  context: AppLoadContext,
  eventId: Uuid,
  form: FormData,
): Promise<boolean> {
  const [choice, sealedToken] = [
    fieldText(form, "spAccessTokenAgain"),
    fieldText(form, "spAccessTokenTested"),
  ];
  form.delete("spAccessTokenTested");
  if (choice !== "tested" || fieldText(form, "spAccessToken") !== "") return false;
  const { purpose } = await readSealPurpose(context, eventId, form);
  const token = context.textSealer.open(purpose, sealedToken);
  if (token === null) return false;
  form.set("spAccessToken", token);
  form.delete("spAccessTokenAgain");
  return true;
}

/** Seals the token of this form for the next one; null for a form without a token or without a valid URL of a store. */
export async function sealTestedToken(
  context: AppLoadContext,
  eventId: Uuid,
  form: FormData,
): Promise<TestedStore | null> {
  const token = fieldText(form, "spAccessToken");
  const { storeUrl, purpose } = await readSealPurpose(context, eventId, form);
  if (token === "" || storeUrl === null) return null;
  return { storeUrl, sealedToken: context.textSealer.seal(purpose, token, TOKEN_VALID_MS) };
}
