import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";
import { referringHost } from "~/domain/analytics/visit";
import { languages } from "~/i18n/instances.server";
import { partsInPlace } from "~/i18n/later";
import { I18nextProvider } from "~/i18n/translation";
import { type Drawing, DrawingContext } from "~/routes/shared/arriving";
import { RenderingContext } from "~/routes/shared/rendering";
import { hasLateParts, sendWithLateParts, WITHOUT_LATE_PARTS } from "~/routes/shared/streaming.server";
import { followedBy, noscriptTracking } from "~/routes/visitors/tracking/noscript-tracking.server";

export const streamTimeout = 10_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
) {
  const { nonce, requestId, buffered } = loadContext.page;
  const { errors, loaderData } = remixContext.staticHandlerContext;
  // What was posted may be refused for what it says before the page finds that there is nothing to post it to: that is what is shown then.
  let finalStatus = Object.values(errors ?? {}).find(isRouteErrorResponse)?.status ?? status;

  const draw = async (drawing: Drawing | null) => {
    // Not request.signal: a visitor who leaves would make the renderer report an error of ours (remix #10047).
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), streamTimeout);
    // What the browser needs of the loaders' data goes out once, with the page itself.
    const context = drawing?.marks
      ? { ...remixContext, serverHandoffStream: undefined, renderMeta: {} }
      : remixContext;
    const body = await renderToReadableStream(
      <RenderingContext.Provider value={{ nonce, requestId: buffered ? "" : requestId }}>
        <I18nextProvider i18n={languages[loadContext.lang].i18n}>
          <DrawingContext.Provider value={drawing}>
            <RemixServer context={context} url={request.url} nonce={nonce} abortDelay={streamTimeout} />
          </DrawingContext.Provider>
        </I18nextProvider>
      </RenderingContext.Provider>,
      {
        signal: abort.signal,
        nonce,
        // Parts whose scripts come later (i18n/later) stand where they belong: without scripts nobody would put them there.
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
  /** With everything in its place. */
  const drawWhole = async (drawing: Drawing | null) => {
    const body = await draw(drawing);
    await body.allReady;
    return body;
  };
  const url = new URL(request.url);
  // Of a page that is kept the site is put in where the stand-in for its nonce is, which nobody can have written (page-template).
  const from = buffered ? nonce : referringHost(request.headers.get("referer") ?? "", url.hostname);
  const told = noscriptTracking(loaderData, url, from);
  const drawEarly = async () => {
    const page = await draw(WITHOUT_LATE_PARTS);
    // It is sent from the first time that it is read: what is in its place until then stays there without scripts.
    await partsInPlace();
    return sendWithLateParts(followedBy(page, told), loaderData, drawWhole, loadContext.reportError);
  };
  const body = await (hasLateParts(loaderData)
    ? drawEarly()
    : drawWhole(null).then((page) => followedBy(page, told)));
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(body, { status: finalStatus, headers });
}

export function handleError(error: unknown, { request, context }: { request: Request; context: unknown }) {
  // The router's own refusals, such as of a form for a page that takes none, say nothing of the product.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  (context as AppLoadContext).reportError(error);
}
