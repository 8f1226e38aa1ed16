/** The API as its callers meet it, over the house of a test. */
import { type ApiContext, handleApi } from "#functions/api";
import { errorWords } from "#functions/mail/error-words";
import { Floods } from "#functions/platform/floods";
import { contractProblem } from "./api-contract";
import type { House } from "./house";

/** What the worker would give the API. */
export const apiContext = (house: Pick<House, "services" | "time">): ApiContext => ({
  services: house.services,
  config: { development: false },
  countCall: async () => true,
  floods: new Floods(() => house.time.now),
  langFor: () => "en",
  wordsFor: () => errorWords("en"),
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
