import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";
import { languages } from "~/i18n/languages.server";
import { TranslatorContext } from "~/i18n/use-translation";
import { ArrivingContext } from "~/routes/shared/arriving";
import { RenderingContext } from "~/routes/shared/rendering";
import { hasLateParts, type LateParts, sendAsItArrives } from "~/routes/shared/streaming.server";

export const streamTimeout = 10_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
) {
  const { nonce, requestId, buffered } = loadContext;
  let finalStatus = status;

  /** The whole page; with `parts`, what of it is there without those that are still under way. */
  const render = async (parts: LateParts | null) => {
    // Not request.signal: a visitor who leaves would make the renderer report an error of ours (remix #10047).
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), streamTimeout);
    // What the browser needs of the loaders' data is sent once, with the last of the page.
    const context = parts
      ? { ...remixContext, serverHandoffStream: undefined, renderMeta: {} }
      : remixContext;
    const body = await renderToReadableStream(
      <RenderingContext.Provider value={{ nonce, requestId: buffered ? "" : requestId }}>
        <TranslatorContext.Provider value={languages[loadContext.lang]}>
          <ArrivingContext.Provider value={parts ? parts.isUnderWay : () => false}>
            <RemixServer context={context} url={request.url} nonce={nonce} abortDelay={streamTimeout} />
          </ArrivingContext.Provider>
        </TranslatorContext.Provider>
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
    await body.allReady;
    return body;
  };

  const body = hasLateParts(remixContext.staticHandlerContext.loaderData)
    ? await sendAsItArrives(render, loadContext.reportError)
    : await render(null);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(body, { status: finalStatus, headers });
}

export function handleError(error: unknown, { request, context }: { request: Request; context: unknown }) {
  if (request.signal.aborted) return;
  (context as AppLoadContext).reportError(error);
}
