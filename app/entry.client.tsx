import { RemixBrowser, UNSAFE_RemixContext } from "@remix-run/react";
import { type Context, StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { UNSAFE_DataRouterStateContext, UNSAFE_LocationContext, UNSAFE_RouteContext } from "react-router";
import type { Lang } from "~/domain/model";

import { changing } from "~/i18n/later";
import { TranslatorContext } from "~/i18n/use-translation";
import { RenderingContext } from "~/routes/shared/rendering";

/** Only the words of the page's language; a visitor's page, which leads nowhere else, only those of visitors. */
async function loadWords(lang: Lang): Promise<WordTree> {
  const visitor = /^\/(event|space)\/(published|preview|3d)\//.test(window.location.pathname);
  if (lang === "en")
    return visitor ? (await import("~/i18n/en-visitor")).visitorEn : (await import("~/i18n/en")).en;
  return visitor ? (await import("~/i18n/ja-visitor")).visitorJa : (await import("~/i18n/ja")).ja;
}

const lang: Lang = document.documentElement.lang === "en" ? "en" : "ja";
const translator = createTranslator(lang, await loadWords(lang));
const rendering = { nonce: undefined, requestId: document.documentElement.dataset.request ?? "" };

// Each of them changes with the address.
changing.push(
  ...([
    UNSAFE_RemixContext,
    UNSAFE_DataRouterStateContext,
    UNSAFE_LocationContext,
    UNSAFE_RouteContext,
  ] as readonly unknown[] as Context<unknown>[]),
);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RenderingContext.Provider value={rendering}>
        <TranslatorContext.Provider value={translator}>
          <RemixBrowser />
        </TranslatorContext.Provider>
      </RenderingContext.Provider>
    </StrictMode>,
  );
});
