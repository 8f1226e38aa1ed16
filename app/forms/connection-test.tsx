import { useFetcher } from "@remix-run/react";
import { useState } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/notice";
import { useHydrated } from "~/components/use-hydrated";
import type { ConnectionTest } from "~/domain/store";
import type { WordKey } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";

/** The intent of the event form's button that tests the connection. */
export const TEST_STORE = "test-store";

/** A test of the connection (§4): idle, verifying, success or failure. */
export interface ConnectionTesting {
  readonly isRunning: boolean;
  /** What the last test came to; null before any. */
  readonly result: ConnectionTest | null;
  readonly run: (storeUrl: string, token: string) => void;
  /** Nothing to be tested was given. */
  readonly refuse: () => void;
}

/**
 * Tests connections beside the form, so that what is typed stays.
 * @param answered what a test came to that was sent as the whole form, without scripts
 */
export function useConnectionTest(answered: ConnectionTest | null): ConnectionTesting {
  const fetcher = useFetcher<{ readonly connection?: ConnectionTest | null }>();
  const [isRefused, setRefused] = useState(false);
  const isRunning = fetcher.state !== "idle";
  return {
    isRunning,
    result: isRefused ? { state: "idle" } : (fetcher.data?.connection ?? answered),
    run(storeUrl, token) {
      setRefused(false);
      fetcher.submit({ intent: TEST_STORE, spStoreUrl: storeUrl, spAccessToken: token }, { method: "post" });
    },
    refuse: () => setRefused(true),
  };
}

/** The button that tests the connection, with what came of it: nothing happens unless both address and token are given (§5). */
export function ConnectionTestButton({
  formId,
  test,
  savedUrl,
  disabled,
}: {
  readonly formId: string;
  readonly test: ConnectionTesting;
  /** The address for which a token is saved; null for none. */
  readonly savedUrl: string | null;
  readonly disabled: boolean;
}) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const { isRunning, result } = test;
  return (
    <div id={`${formId}-store-test`} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          name="intent"
          value={TEST_STORE}
          formNoValidate
          // Without scripts the page comes back to where the button was.
          formAction={`#${formId}-store-test`}
          pending={isRunning}
          disabled={disabled}
          onClick={(press) => {
            const { form } = press.currentTarget;
            if (!hydrated || !form) return;
            press.preventDefault();
            const typed = new FormData(form);
            const url = String(typed.get("spStoreUrl") ?? "").trim();
            const token = String(typed.get("spAccessToken") ?? "").trim();
            const hasToken = token !== "" || (savedUrl !== null && url === savedUrl);
            if (url === "" || !hasToken) test.refuse();
            else test.run(url, token);
          }}
        >
          {isRunning ? t("events.storeTest.verifying") : t("events.storeTest.test")}
        </Button>
        <span className="text-xs text-muted text-phrase">{t("events.storeTest.hint")}</span>
      </div>
      {/* Always there, so that what appears in it is read out. */}
      <div role="status">{result && !isRunning && <Result result={result} />}</div>
    </div>
  );
}

function Result({ result }: { readonly result: ConnectionTest }) {
  const { t } = useTranslation();
  if (result.state === "idle") return <Notice>{t("events.storeTest.both")}</Notice>;
  if (result.state === "success")
    return (
      <Notice tone="success" title={t("errors.store.connected")}>
        {t("events.storeTest.shop", { name: result.shopName })}
      </Notice>
    );
  return (
    <Notice tone="danger" title={t("errors.store.connectionFailed")}>
      <p>{result.key === null ? t(`events.storeTest.reasons.${result.code}`) : t(result.key as WordKey)}</p>
      {result.message !== "" && (
        <details className="mt-2 text-xs text-muted">
          <summary className="min-h-10 content-center">{t("events.storeTest.details")}</summary>
          <p lang="en" className="[overflow-wrap:anywhere]">
            {result.message}
          </p>
        </details>
      )}
    </Notice>
  );
}
