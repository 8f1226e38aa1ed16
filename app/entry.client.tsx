import { RemixBrowser, UNSAFE_RemixContext } from "@remix-run/react";
import { type Context, StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { UNSAFE_DataRouterStateContext, UNSAFE_LocationContext, UNSAFE_RouteContext } from "react-router";
import { trackedContexts } from "~/i18n/late-part";
import { browserTranslation } from "~/i18n/load";
import { I18nextProvider } from "~/i18n/translation";
import { RenderingContext } from "~/routes/shared/rendering";

const rendering = { nonce: undefined, requestId: document.documentElement.dataset.request ?? "" };

// The router's contexts change with the URL. A part of the page that is not hydrated yet must not receive such a change (see trackedContexts).
trackedContexts.push(
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
        <I18nextProvider i18n={browserTranslation().i18n}>
          <RemixBrowser />
        </I18nextProvider>
      </RenderingContext.Provider>
    </StrictMode>,
  );
});
