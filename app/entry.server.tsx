import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";
import { referringHost } from "~/domain/analytics/visit";
import { languages } from "~/i18n/languages.server";
import { waitForLateParts } from "~/i18n/late-part";
import { preloadLinks } from "~/i18n/preloads.server";
import { I18nextProvider } from "~/i18n/translation";
import { type DeferredRendering, DeferredRenderingContext } from "~/routes/shared/deferred-part";
import {
  hasDeferredParts,
  sendWithDeferredParts,
  WITHOUT_DEFERRED_PARTS,
} from "~/routes/shared/deferred-parts.server";
import type { RouteHandle } from "~/routes/shared/handle";
import { RenderingContext } from "~/routes/shared/rendering";
import { appendHtml, noscriptTracking } from "~/routes/visitors/tracking/noscript-tracking.server";
import styles from "./styles.css?url";

/** Time after which Remix rejects pending loader data and an unfinished rendering is aborted, in milliseconds. */
export const streamTimeout = 10_000;

/** Collects a page. The build changes the renderer so that it yields text instead of bytes (scripts/lib/build/renderer-chunks.ts). */
async function readText(page: ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of page as unknown as AsyncIterable<string>) text += chunk;
  return text;
}

/**
 * The scripts that give the loaders' data to the browser, as Remix's server component renders them. That component would suspend the rendering twice to
 * read the data.
 */
async function dataScripts(
  { serverHandoffStream, renderMeta }: EntryContext,
  nonce: string,
): Promise<string> {
  if (!renderMeta?.didRenderScripts) return "";
  const data = await new Response(serverHandoffStream).text();
  const scriptOf = (code: string) =>
    `<script nonce="${nonce}">window.__remixContext.streamController.${code};</script>`;
  return scriptOf(`enqueue(${JSON.stringify(data).replaceAll("<", "\\u003c")})`) + scriptOf("close()");
}

/** The `handle` of each of the page's routes. */
const handlesOf = ({ staticHandlerContext, routeModules }: EntryContext) =>
  staticHandlerContext.matches.map(
    ({ route }) => (routeModules[route.id]?.handle as RouteHandle | undefined) ?? {},
  );

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
) {
  const { nonce, requestId, isForCache, cachedHtml } = loadContext.page;
  const url = new URL(request.url);
  const handles = handlesOf(remixContext);
  const parts = handles.flatMap((handle) => handle.parts?.(url.searchParams) ?? []);
  await Promise.all(parts.map(({ preload }) => preload()));
  const { errors, loaderData } = remixContext.staticHandlerContext;
  // If an action rejects the input and a loader then finds no page, the loader's error page is shown, so its status is used.
  let finalStatus = Object.values(errors ?? {}).find(isRouteErrorResponse)?.status ?? status;

  const renderStream = async (deferredRendering: DeferredRendering | null) => {
    // Not request.signal: a visitor who disconnects would make the renderer report an error (remix #10047).
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), streamTimeout);
    // Remix renders the scripts with the loaders' data only into a streamed page. renderText appends them, and the deferred parts need none.
    const context =
      deferredRendering === WITHOUT_DEFERRED_PARTS
        ? remixContext
        : { ...remixContext, serverHandoffStream: undefined };
    const body = await renderToReadableStream(
      <RenderingContext.Provider value={{ nonce, requestId: isForCache ? "" : requestId }}>
        <I18nextProvider i18n={languages[loadContext.lang].i18n}>
          <DeferredRenderingContext.Provider value={deferredRendering}>
            <RemixServer context={context} url={request.url} nonce={nonce} abortDelay={streamTimeout} />
          </DeferredRenderingContext.Provider>
        </I18nextProvider>
      </RenderingContext.Provider>,
      {
        signal: controller.signal,
        nonce,
        // Late parts (components whose code loads separately, i18n/late-part) are rendered at their final place, because without scripts they
        // could not be moved there.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onError(error) {
          finalStatus = 500;
          loadContext.reportError(error);
        },
      },
    );
    void body.allReady.finally(() => clearTimeout(timer));
    return body;
  };
  /** Renders the page completely before it is sent. */
  const renderComplete = async (deferredRendering: DeferredRendering | null) => {
    const body = await renderStream(deferredRendering);
    await body.allReady;
    return readText(body);
  };
  // In a cached page the nonce's placeholder, which no input can contain, marks where the referring site is inserted (page-template).
  const referrer = isForCache ? nonce : referringHost(request.headers.get("referer") ?? "", url.hostname);
  const trackingHtml = noscriptTracking(loaderData, url, referrer);
  // Deferred parts depend on data that loads slowly, and are streamed after the page.
  const renderWithDeferredParts = async () => {
    const page = await renderStream(WITHOUT_DEFERRED_PARTS);
    // Sending starts with the first read. Parts that have loaded by then are visible without scripts.
    await waitForLateParts();
    const bytes = (page as ReadableStream).pipeThrough(new TextEncoderStream());
    return sendWithDeferredParts(
      appendHtml(bytes, trackingHtml),
      loaderData,
      renderComplete,
      loadContext.reportError,
    );
  };
  // A page without deferred parts is sent as one text, because each stream behind the renderer's costs more than copying the page.
  const renderText = async () =>
    (await renderComplete(null)) + (await dataScripts(remixContext, nonce)) + trackingHtml;
  let body: ReadableStream | string | null = await (hasDeferredParts(loaderData)
    ? renderWithDeferredParts()
    : renderText());
  if (cachedHtml && typeof body === "string") {
    cachedHtml.push(body);
    body = null;
  }
  headers.set("content-type", "text/html; charset=utf-8");
  const namespaces = handles.flatMap(({ i18n }) => i18n ?? []);
  headers.set("link", preloadLinks(loadContext.lang, namespaces, parts, styles));
  return new Response(body, { status: finalStatus, headers });
}

export function handleError(error: unknown, { request, context }: { request: Request; context: unknown }) {
  // An aborted request is not an error of the app, nor is a rejection by the router, such as of a POST to a page without an action.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  (context as AppLoadContext).reportError(error);
}
