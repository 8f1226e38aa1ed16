import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Lang } from "~/domain/shared/model";

/** What stands around a screen that is shown before anybody is logged in. */
export interface Door {
  readonly lang: Lang;
  /** The page's own path and query. */
  readonly url: string;
  /** The version text; empty in production (§1). */
  readonly version: string;
}

/** The same for a request. */
export async function doorOf(request: Request, context: AppLoadContext): Promise<Door> {
  const { pathname, search } = new URL(request.url);
  return { lang: context.lang, url: pathname + search, version: await context.site.versionText() };
}
