/** A channel between the tabs of a browser that show the same event. */
export interface OtherTabs {
  /** Sends the number of items in the cart to the other tabs. */
  send(count: number): void;
  close(): void;
}

/**
 * Opens the channel through which the tabs of the browser report the number of items in an event's cart to each other.
 * @param eventId id of the event; all links of an event share one cart
 * @param onCount called with the number that another tab has sent
 */
export function openOtherTabs(eventId: string, onCount: (count: number) => void): OtherTabs {
  if (typeof BroadcastChannel === "undefined") return { send() {}, close() {} };
  const channel = new BroadcastChannel(`hiroba-cart ${eventId}`);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "number" && Number.isSafeInteger(data) && data >= 0) onCount(data);
  };
  return {
    send: (count) => channel.postMessage(count),
    close: () => channel.close(),
  };
}
