import type { ComponentType } from "react";
import { waitUntilServerIsReachable } from "./late-part";
import type { PageNamespace } from "./load";

/** A component whose script is loaded before the page is hydrated if the page's URL shows the component, and otherwise when it is needed or earlier. */
export type PagePart<Props> = ComponentType<Props> & {
  /** Name of the component's module, without its extension. The server names its files in the page's headers. */
  readonly file: string;
  readonly namespaces: readonly PageNamespace[];
  /** Resolves when the component can be rendered. Never resolves if its script cannot be loaded, which the page reports (decision 085). */
  readonly preload: () => Promise<void>;
};

/** A promise that stays pending. If the promise of a script were rejected, React would request it again at once, without end. */
const never = () => new Promise<never>(() => {});

/** Makes the browser show that a part of the page is missing (app/root.tsx). */
const reportMissing = () => dispatchEvent(new Event("vite:preloadError"));

/**
 * Creates a part of a page whose script is separate. A navigation to a URL that shows the part waits for its script and keeps the former page
 * until then, because the router navigates in a transition. Render it only depending on the URL or on its data: another update would not wait.
 * @param load from withMessages
 */
export function pagePart<Props extends object>(
  file: string,
  load: {
    (): Promise<{ readonly default: ComponentType<Props> }>;
    readonly namespaces: readonly PageNamespace[];
  },
): PagePart<Props> {
  let Part: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const loadPart = async () => {
    Part = (await load()).default;
  };
  const preload = () => {
    loading ??= import.meta.env.SSR ? loadPart() : waitUntilServerIsReachable().then(loadPart).catch(never);
    return loading;
  };
  return Object.assign(
    function PagePart(props: Props) {
      if (Part) return <Part {...props} />;
      const waiting = preload();
      if (!import.meta.env.SSR && !navigator.onLine) reportMissing();
      throw waiting;
    },
    { file, namespaces: load.namespaces, preload },
  );
}
