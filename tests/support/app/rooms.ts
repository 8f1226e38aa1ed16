import type { EventRoom } from "#functions/rooms/event-room";
import type { LocalProduct } from "../../../scripts/lib/local/local-product";

type Room = Pick<EventRoom, "record" | "report" | "erase" | "state" | "revision">;

/** The room of an event (the Durable Object that counts its visits) in a running product. */
export async function getRoom({ mf }: Pick<LocalProduct, "mf">, eventId: string): Promise<Room> {
  const rooms = await mf.getDurableObjectNamespace("EVENT_ROOMS", "hiroba");
  return (rooms as unknown as DurableObjectNamespace).getByName(eventId) as unknown as Room;
}

/** Makes an event's room write its visits to D1, as requesting a report does. */
export const flushRoom = async (local: Pick<LocalProduct, "mf">, eventId: string) =>
  (await getRoom(local, eventId)).report(eventId);
