/** A channel between the tabs of a browser that show the same event. */
export interface OtherTabs {
  /** Sends the number of items in the cart to the other tabs. */
  send(count: number): void;
  close(): void;
}

/**
 * Keeps the number of items in an event's cart the same in all tabs of the browser.
 * @param eventId the cart is the same for all links of an event
 * @param take receives the number that another tab has sent
 */
export function openOtherTabs(eventId: string, take: (count: number) => void): OtherTabs {
  if (typeof BroadcastChannel === "undefined") return { send() {}, close() {} };
  const channel = new BroadcastChannel(`hiroba-cart ${eventId}`);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "number" && Number.isSafeInteger(data) && data >= 0) take(data);
  };
  return {
    send: (count) => channel.postMessage(count),
    close: () => channel.close(),
  };
}
