import type { DescribeEvent } from "#functions/services/webhooks/webhook-ports";
import { statusAt } from "~/domain/events/status";
import { eventJson } from "../core/record-json";

/** Returns an event's JSON for webhooks: the owner's API record without the tokens of its links and its store. */
export const webhookEventJson: DescribeEvent = (event, now) => {
  const {
    access_token: _public,
    preview_access_token: _preview,
    sp_access_token: _store,
    ...json
  } = eventJson({ ...event, currentStatus: statusAt(event, now) });
  return json;
};
