import type { LinkMode } from "../../app/domain/model";
import { demoData, demoIds, demoPassword, demoPublishPassword } from "../../seed/demo";

/** The address of a demo event for visitors; of the main event unless another is named. */
export function demoLink(origin: string, mode: LinkMode, eventId: string = demoIds.mainEvent): string {
  const event = demoData(0).events.find(({ id }) => id === eventId);
  if (!event) throw new Error(`The demo has no event ${eventId}`);
  const token = mode === "preview" ? event.previewAccessToken : event.accessToken;
  return `${origin}/event/${mode}/${event.id}?token=${token}`;
}

/** The demo's addresses and log-ins, as `npm start` prints them. */
export function describeDemo(origin: string): string {
  return [
    `Log-ins      owner@demo.example  ${demoPassword}`,
    `             admin@demo.example  ${demoPassword}`,
    `Mailbox      ${origin}/dev/mail`,
    `Public link  ${demoLink(origin, "published")}`,
    `Preview link ${demoLink(origin, "preview")}`,
    `With a password (${demoPublishPassword}): ${demoLink(origin, "published", demoIds.passwordEvent)}`,
  ].join("\n");
}
