/** The API's request handler on top of a test app. */
import { type ApiContext, handleApi } from "#functions/api";
import { InvalidTokenThrottle } from "#functions/security/invalid-token-throttle";
import type { ErrorMessage } from "#functions/services/shared/errors";
import { languages } from "~/i18n/languages.server";
import type { MessageKey } from "~/i18n/messages";
import type { TestApp } from "../app/test-app";
import { contractProblem } from "./api-contract";

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
/** Translates a message to English. Throws when a text is missing or in the wrong language; placeholder values may be in either one. */
function checkedMessage({ key, values }: ErrorMessage): string {
  const [ja, en] = [languages.ja.t(key as MessageKey, values), languages.en.t(key as MessageKey, values)];
  const quoted = Object.values(values ?? {}).map(String);
  const unquoted = quoted.reduce((text, value) => text.replaceAll(value, ""), en);
  if (!JAPANESE.test(ja) || JAPANESE.test(unquoted) || en === "")
    throw new Error(`${key} is not translated to both languages: ${ja} / ${en}`);
  return en;
}

/** A context for API calls in English, without limits for calls. */
export const apiContext = (testApp: Pick<TestApp, "services" | "time">): ApiContext => ({
  services: testApp.services,
  config: { development: false },
  countCall: async () => true,
  countInvalidToken: async () => true,
  invalidTokenThrottle: new InvalidTokenThrottle(() => testApp.time.now),
  langFor: () => "en",
  messagesFor: () => checkedMessage,
  now: testApp.time.now,
  requestId: "req-1",
});

/** Sends an API request, and checks its response against the OpenAPI document. */
export async function callApi(
  testApp: Pick<TestApp, "services" | "time">,
  request: Request,
): Promise<Response> {
  const response = await handleApi(request, apiContext(testApp));
  const problem = await contractProblem(request, response);
  if (problem !== null) throw new Error(problem);
  return response;
}
