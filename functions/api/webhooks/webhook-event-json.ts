import type { DescribeEvent } from "#functions/services/webhooks/webhook-ports";
import { statusAt } from "~/domain/events/status";
import { eventJson } from "../core/shapes";

/** An event as receivers of webhooks are told of it: as the API tells its owner, without the tokens of its links and of its store. */
export const webhookEventJson: DescribeEvent = (event, now) => {
  const {
    access_token: _public,
    preview_access_token: _preview,
    sp_access_token: _store,
    ...told
  } = eventJson({ ...event, currentStatus: statusAt(event, now) });
  return told;
};
