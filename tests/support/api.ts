/** The API as its callers meet it, over the house of a test. */
import { type ApiContext, handleApi } from "#functions/api";
import type { House } from "./house";

/** What the worker would give the API: messages as their keys, unless told otherwise. */
export const apiContext = (
  house: Pick<House, "services" | "time">,
  wordsFor: ApiContext["wordsFor"] = () =>
    ({ key }) =>
      key,
): ApiContext => ({
  services: house.services,
  config: { development: false },
  wordsFor,
  now: house.time.now,
  requestId: "req-1",
});

/** Asks the API something. */
export const askApi = (house: Pick<House, "services" | "time">, request: Request): Promise<Response> =>
  handleApi(request, apiContext(house));
