import type { Lang } from "~/domain/shared/model";
import { createI18n, type Translation } from "./create-i18n";
import type { MessageTree, Namespace } from "./messages";

/** Namespaces that a browser can load. Emails and the API's messages stay on the server. */
export type PageNamespace = Exclude<Namespace, "api" | "mail">;

const modules = import.meta.glob<Readonly<Record<string, MessageTree>>>([
  "./{en,ja}/*.ts",
  "!./*/{api,calls,mail}.ts",
]);

let translation: Translation | undefined;

/** Returns the browser's instance, in the document's language. A page in the other language is a new document. */
export function browserTranslation(): Translation {
  const lang: Lang = document.documentElement.lang === "en" ? "en" : "ja";
  translation ??= createI18n(lang, {});
  return translation;
}

const loadingNamespaces = new Map<PageNamespace, Promise<void>>();

async function load(namespace: PageNamespace): Promise<void> {
  const { language, add } = browserTranslation();
  const module = await modules[`./${language}/${namespace}.ts`]?.();
  add(namespace, Object.values(module ?? {})[0] ?? {});
}

/** Loads the missing namespaces in the page's language. Does nothing on the server, which has all of them. */
export async function loadNamespaces(namespaces: readonly PageNamespace[]): Promise<void> {
  if (import.meta.env.SSR) return;
  await Promise.all(
    namespaces.map((namespace) => {
      const loadingNamespace = loadingNamespaces.get(namespace) ?? load(namespace);
      loadingNamespaces.set(namespace, loadingNamespace);
      return loadingNamespace;
    }),
  );
}

/**
 * Loads what the page of a route needs before it is hydrated. The build calls it in the route's module (scripts/lib/build/route-preloads.ts).
 * @param handle the route's `handle`
 * @public
 */
export async function preloadRoute(handle: {
  readonly i18n?: readonly PageNamespace[];
  readonly parts?: (searchParams: URLSearchParams) => readonly { readonly preload: () => Promise<void> }[];
}): Promise<void> {
  const parts = handle.parts?.(new URLSearchParams(location.search)) ?? [];
  await Promise.all([loadNamespaces(handle.i18n ?? []), ...parts.map(({ preload }) => preload())]);
}

/** Loads a module together with the namespaces of its messages, so that it never renders without them. */
export const withMessages = <Module>(
  namespaces: readonly PageNamespace[],
  loadModule: () => Promise<Module>,
): { (): Promise<Module>; readonly namespaces: readonly PageNamespace[] } =>
  Object.assign(
    async () => {
      const [module] = await Promise.all([loadModule(), loadNamespaces(namespaces)]);
      return module;
    },
    { namespaces },
  );
