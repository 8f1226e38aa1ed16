import "@remix-run/cloudflare";
import type { RequestContext } from "#functions/request-context";

declare module "@remix-run/cloudflare" {
  // The context that functions/worker.ts passes to every loader and action.
  interface AppLoadContext extends RequestContext {}
}
