/** The entry of the worker `hiroba-rooms`: the Durable Object classes (decision 095). */
export { EventRoom } from "./event-room";
export { LimitCounter } from "./limit-counter";
export { StatusAlarm } from "./status-alarm";

export default {
  /** The web worker calls the objects through bindings. No HTTP request reaches this worker. */
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler;
