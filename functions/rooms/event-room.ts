import { DurableObject } from "cloudflare:workers";

/** The room of one event, named by the event's id. */
export class EventRoom extends DurableObject {
  /** Returns true. It shows that the room can be reached. */
  ping(): boolean {
    return true;
  }
}
