/** The API as its callers meet it, over the house of a test. */
import { type ApiContext, handleApi } from "#functions/api";
import { errorMessage } from "#functions/mail/error-message";
import { InvalidTokenThrottle } from "#functions/security/invalid-token-throttle";
import type { ErrorMessage } from "#functions/services/shared/errors";
import { contractProblem } from "./api-contract";
import type { House } from "./house";

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
/** Words in English, which must be there in Japanese too. What they quote may be in either. */
function wordsInBoth(words: ErrorMessage): string {
  const [ja, en] = [errorMessage("ja")(words), errorMessage("en")(words)];
  const quoted = Object.values(words.values ?? {}).map(String);
  const own = quoted.reduce((text, part) => text.replaceAll(part, ""), en);
  if (!JAPANESE.test(ja) || JAPANESE.test(own) || en.startsWith(words.key))
    throw new Error(`${words.key} has no words in both languages: ${ja} / ${en}`);
  return en;
}

/** What the worker would give the API. */
export const apiContext = (house: Pick<House, "services" | "time">): ApiContext => ({
  services: house.services,
  config: { development: false },
  countCall: async () => true,
  invalidTokenThrottle: new InvalidTokenThrottle(() => house.time.now),
  langFor: () => "en",
  messagesFor: () => wordsInBoth,
  now: house.time.now,
  requestId: "req-1",
});

/** Asks the API something, and holds its answer against the document. */
export async function askApi(house: Pick<House, "services" | "time">, request: Request): Promise<Response> {
  const response = await handleApi(request, apiContext(house));
  const problem = await contractProblem(request, response);
  if (problem !== null) throw new Error(problem);
  return response;
}
