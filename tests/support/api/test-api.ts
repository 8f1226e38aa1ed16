/** The API as its callers meet it, over the test app of a test. */
import { type ApiContext, handleApi } from "#functions/api";
import { errorWords } from "#functions/mail/error-words";
import { Floods } from "#functions/platform/floods";
import type { ErrorWords } from "#functions/services/shared/errors";
import type { TestApp } from "../app/test-app";
import { contractProblem } from "./api-contract";

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
/** Words in English, which must be there in Japanese too. What they quote may be in either. */
function checkedMessage(words: ErrorWords): string {
  const [ja, en] = [errorWords("ja")(words), errorWords("en")(words)];
  const quoted = Object.values(words.values ?? {}).map(String);
  const unquoted = quoted.reduce((text, part) => text.replaceAll(part, ""), en);
  if (!JAPANESE.test(ja) || JAPANESE.test(unquoted) || en.startsWith(words.key))
    throw new Error(`${words.key} has no words in both languages: ${ja} / ${en}`);
  return en;
}

/** What the worker would give the API. */
export const apiContext = (testApp: Pick<TestApp, "services" | "time">): ApiContext => ({
  services: testApp.services,
  config: { development: false },
  countCall: async () => true,
  floods: new Floods(() => testApp.time.now),
  langFor: () => "en",
  wordsFor: () => checkedMessage,
  now: testApp.time.now,
  requestId: "req-1",
});

/** Asks the API something, and holds its answer against the document. */
export async function callApi(
  testApp: Pick<TestApp, "services" | "time">,
  request: Request,
): Promise<Response> {
  const response = await handleApi(request, apiContext(testApp));
  const problem = await contractProblem(request, response);
  if (problem !== null) throw new Error(problem);
  return response;
}
