import type { ViewerEvents } from "./contract";

/** Stores the handlers of a viewer's events. When a handler throws, the others are still called. */
export class Emitter {
  private readonly handlers = new Map<keyof ViewerEvents, Set<(value: never) => void>>();

  /** Subscribes; returns the unsubscribe function. */
  on<K extends keyof ViewerEvents>(event: K, handler: (value: ViewerEvents[K]) => void): () => void {
    const handlersOfEvent = this.handlers.get(event) ?? new Set();
    this.handlers.set(event, handlersOfEvent);
    handlersOfEvent.add(handler);
    return () => handlersOfEvent.delete(handler);
  }

  emit<K extends keyof ViewerEvents>(event: K, value: ViewerEvents[K]): void {
    for (const handler of [...(this.handlers.get(event) ?? [])]) {
      try {
        (handler as (value: ViewerEvents[K]) => void)(value);
      } catch (error) {
        console.error(error);
      }
    }
  }

  clear(): void {
    this.handlers.clear();
  }
}
