/** Creates commands for tests of an event's content. */
import { randomUUID } from "node:crypto";

export const uuid = (): string => randomUUID();
export const title = (ja: string, en = "") => ({ ja, en });

export const newTag = (id: string, values: object = {}) => ({
  op: "create_tag",
  id,
  values: { title: title("受付"), position: [0, 0, 0], ...values },
});

export const newMediaItem = (id: string, libraryItemId: string, values: object = {}) => ({
  op: "create_media",
  id,
  values: { libraryItemId, title: title("絵"), ...values },
});
