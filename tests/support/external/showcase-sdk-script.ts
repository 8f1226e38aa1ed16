/**
 * The script whose URL the page of the fake Matterport showcase sends. It offers the page's calls in the form of the vendor's SDK, and runs in the product's page.
 */
export function sdkScript(): void {
  interface Messenger {
    init(): void;
    dispose(): void;
    send(message: object): void;
    addObserver(observer: object): void;
  }
  type V = { x: number; y: number; z: number };
  class SdkBuilder {
    private readonly messenger: Messenger;
    constructor(factory: { createMessenger(): Messenger }) {
      this.messenger = factory.createMessenger();
      this.messenger.init();
    }
    build(interfacePaths: readonly string[]) {
      const { messenger } = this;
      let lastId = 0;
      const pendingCalls = new Map<string, { resolve(value: unknown): void; reject(error: Error): void }>();
      const observers = new Map<string, (value: unknown) => void>();
      messenger.addObserver({
        messageType: "fake.answer",
        notify({ id, value, error }: { id: string; value: unknown; error?: string }) {
          if (error === undefined) pendingCalls.get(id)?.resolve(value);
          else pendingCalls.get(id)?.reject(new Error(error));
          pendingCalls.delete(id);
        },
      });
      messenger.addObserver({
        messageType: "fake.value",
        notify: ({ id, value }: { id: string; value: unknown }) => observers.get(id)?.(value),
      });
      const sdk: Record<string, Record<string, unknown>> = {};
      const define = (path: string, value: unknown) => {
        const [group = "", name = ""] = path.split(".");
        sdk[group] = { ...sdk[group], [name]: value };
      };
      for (const path of interfacePaths)
        define(path, (...input: unknown[]) => {
          const id = `call-${++lastId}`;
          return new Promise((resolve, reject) => {
            pendingCalls.set(id, { resolve, reject });
            messenger.send({ type: "fake.call", payload: { id, path, input } });
          });
        });
      const watch = (path: string, read: (observer: never) => (value: unknown) => void) =>
        define(path, {
          subscribe(observer: never) {
            const id = `watch-${++lastId}`;
            observers.set(id, read(observer));
            messenger.send({ type: "fake.watch", payload: { id, path } });
            return {
              cancel() {
                observers.delete(id);
                messenger.send({ type: "fake.leave", payload: { id } });
              },
            };
          },
        });
      const watchedPaths = ["App.state", "Camera.pose", "Pointer.intersection"];
      if (interfacePaths.includes("Tag.add")) watchedPaths.push("Tag.openTags");
      for (const path of watchedPaths)
        watch(path, (observer) => observer as unknown as (value: unknown) => void);
      watch(
        "Sweep.data",
        (observer: { onCollectionUpdated?(items: unknown): void }) => (items) =>
          observer.onCollectionUpdated?.(items),
      );
      define(
        "Conversion.worldToScreen",
        (
          point: V,
          pose: { position: V; rotation: { x: number; y: number }; projection: Float32Array },
          { w, h }: { w: number; h: number },
        ) => {
          const rad = (degrees: number) => (degrees * Math.PI) / 180;
          const [cy, sy] = [Math.cos(rad(pose.rotation.y)), Math.sin(rad(pose.rotation.y))];
          const [cx, sx] = [Math.cos(rad(pose.rotation.x)), Math.sin(rad(pose.rotation.x))];
          const [x, y, z] = [point.x - pose.position.x, point.y - pose.position.y, point.z - pose.position.z];
          const depth = -(x * sy * cx - y * sx + z * cy * cx);
          const scale = h / 2 / (pose.projection[1] ?? 1) / Math.max(depth, 1e-6);
          return {
            x: w / 2 + (x * cy - z * sy) * scale,
            y: h / 2 - (x * sy * sx + y * cx + z * cy * sx) * scale,
            z: depth > 0 ? 0 : 2,
          };
        },
      );
      return {
        ...sdk,
        disconnect() {
          messenger.send({ type: "fake.end", payload: {} });
          messenger.dispose();
        },
      };
    }
  }
  // Like the real script, it has no exports and sets a global variable.
  Object.assign(window, { "sdk-client": { SdkBuilder } });
}
