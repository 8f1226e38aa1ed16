import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Lang } from "~/domain/shared/model";

/** Data of the layout of account pages that need no log-in. */
export interface PublicLayoutData {
  readonly lang: Lang;
  /** Path and query of the page. */
  readonly url: string;
  /** Version text; empty in production (specification §1). */
  readonly version: string;
}

/** Collects the data of this layout for a request. */
export async function readPublicLayoutData(
  request: Request,
  context: AppLoadContext,
): Promise<PublicLayoutData> {
  const { pathname, search } = new URL(request.url);
  return { lang: context.lang, url: pathname + search, version: await context.site.versionText() };
}
