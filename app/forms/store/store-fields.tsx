import { useFormAction, useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "~/components/button";
import { PasswordField } from "~/components/fields/password-field";
import { TextField } from "~/components/fields/text-field";
import { Notice } from "~/components/status/notice";
import { useHydrated } from "~/components/use-hydrated";
import { STOREFRONT_API_VERSION } from "~/domain/shared/limits";
import { TEST_STORE, URL_FAILURES } from "~/domain/store/store-connection";
import { useTranslation } from "~/i18n/translation";
import type { useFieldProps } from "../shared/form-parts";
import { useMessage } from "../shared/user-message";
import { FailureAdvice } from "./store-failure-advice";
import type { ConnectionTestState, useConnectionTest } from "./use-connection-test";

type FieldMeta = ReturnType<ReturnType<typeof useFieldProps>>;

export interface StoreFieldsProps {
  /** Id of the form. */
  readonly id: string;
  readonly url: FieldMeta;
  readonly token: FieldMeta;
  /** URL of the store for which a token is saved; null without a saved token. */
  readonly tokenOf: string | null;
  /** Question about a lost token, which is shown before the token's field. */
  readonly lostToken: ReactNode;
  readonly connection: ReturnType<typeof useConnectionTest>;
  /** Whether scripts test the connection, so that the form need not be submitted. */
  readonly isScripted: boolean;
  /** Whether the form is being saved. */
  readonly busy: boolean;
}

/** Returns a field's own errors and those of the connection test. */
function listErrors(
  { error }: FieldMeta,
  test: ConnectionTestState,
  code: "address" | "token",
  message: (key: string) => string,
) {
  const testErrors: string[] = [];
  if (test.state === "failure") {
    if (test.code === code && test.key !== null) testErrors.push(message(test.key));
    if (code === "address" && URL_FAILURES.has(test.code)) testErrors.push(message("store:failure.address"));
  }
  return [...new Set([...(error ?? []), ...testErrors])];
}

/** Steps for connecting a store. */
export function StoreSteps() {
  const { t } = useTranslation();
  return (
    <ol className="grid list-decimal gap-1 pl-6 text-left text-sm text-muted text-phrase">
      {(["address", "enter", "test"] as const).map((step) => (
        <li key={step}>{t(`store:howTo.${step}`)}</li>
      ))}
    </ol>
  );
}

/** The store's URL and token, with a button that tests the connection. */
export function StoreFields(props: StoreFieldsProps) {
  const { id, url, token, tokenOf, lostToken, connection, isScripted, busy } = props;
  const { t } = useTranslation();
  const message = useMessage();
  const hydrated = useHydrated();
  const { test, missing, isOtherStore, updateTyped, run } = connection;
  const element = useRef<HTMLFieldSetElement>(null);
  // The fields may contain text that was typed before the scripts ran.
  useEffect(() => {
    const formData = new FormData(element.current?.form ?? undefined);
    updateTyped({
      storeUrl: String(formData.get(url.name) ?? ""),
      token: String(formData.get(token.name) ?? ""),
    });
  }, [updateTyped, url.name, token.name]);
  const verifying = test.state === "verifying";
  const storeValues = { store: tokenOf?.replace(/^https:\/\//, "") ?? "" };
  const missingText = missing && t(`store:test.needs.${missing}`, storeValues);
  // Beside a result, the hint would repeat the result, or refer to a field that the response has emptied.
  const hint = test.state === "idle" ? missingText : null;
  const fieldsetId = `${id}-store`;
  // Without scripts, the result is a new document, which the fragment scrolls to this fieldset.
  const action = `${useFormAction()}#${fieldsetId}`;
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link to this fieldset may be followed again
  useEffect(() => {
    // Before the scripts ran, the user may have begun to type into another of the fields.
    if (hash !== `#${fieldsetId}` || element.current?.contains(document.activeElement)) return;
    element.current?.closest("details")?.setAttribute("open", "");
    element.current?.querySelector("input")?.focus({ preventScroll: true });
  }, [hash, key, fieldsetId]);
  return (
    <fieldset ref={element} id={fieldsetId} className="grid scroll-mt-32 gap-4">
      <legend className="mb-2 text-base font-semibold">{t("events:store")}</legend>
      <TextField
        {...url}
        error={listErrors(url, test, "address", message)}
        label={t("events:storeUrl")}
        hint={t("events:storeUrlHint")}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      {lostToken}
      <PasswordField
        {...token}
        error={listErrors(token, test, "token", message)}
        defaultValue=""
        label={t("events:storeToken")}
        hint={
          // For a lost token, the question before this field explains the options.
          tokenOf === null || lostToken
            ? t("events:storeTokenHint")
            : isOtherStore
              ? t("events:storeTokenOther", storeValues)
              : t("events:storeTokenKept")
        }
        autoComplete="off"
      />
      <div className="grid gap-2">
        <Button
          type="submit"
          name="intent"
          value={TEST_STORE}
          formAction={action}
          formNoValidate
          icon="link"
          pending={verifying}
          disabled={hydrated && (missing !== null || busy)}
          aria-describedby={hint === null ? undefined : `${id}-test-hint`}
          onClick={(event) => {
            if (!isScripted) return;
            event.preventDefault();
            void run();
          }}
          className="w-fit"
        >
          {t(verifying ? "store:test.verifying" : "store:test.button")}
        </Button>
        {hint !== null && (
          <p id={`${id}-test-hint`} className="text-xs text-muted text-phrase">
            {hint}
          </p>
        )}
        {/* The live region is always rendered, because screen readers announce only later changes of its content. */}
        <div role="status" data-test={test.state}>
          <TestResult test={test} missingText={missingText} />
        </div>
      </div>
    </fieldset>
  );
}

/** Result of a connection test, with the texts of specification §8. */
function TestResult({
  test,
  missingText,
}: {
  readonly test: ConnectionTestState;
  readonly missingText: string | null;
}) {
  const { t } = useTranslation();
  switch (test.state) {
    case "idle":
      return null;
    case "verifying":
      return <span className="sr-only">{t("store:test.verifying")}</span>;
    case "incomplete":
      return (
        <Notice tone="warning" title={t("store:test.nothingDone")}>
          {missingText}
        </Notice>
      );
    case "success":
      return (
        <Notice tone="success" title={t("store:errors.store.connected")}>
          <p>{t("store:test.shop", { name: test.shopName })}</p>
          {test.answeredVersion !== undefined && (
            <p>
              {t("store:test.otherVersion", {
                requested: STOREFRONT_API_VERSION,
                answered: test.answeredVersion,
              })}
            </p>
          )}
        </Notice>
      );
    default: {
      const code = test.state === "failure" ? test.code : "lost";
      const failure = test.state === "failure" ? test : { message: "" };
      return (
        <Notice tone="danger" title={t("store:errors.store.connectionFailed")}>
          <FailureAdvice {...failure} code={code} />
        </Notice>
      );
    }
  }
}
