import { useFormAction } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/notice";
import { PasswordField } from "~/components/password-field";
import { TextField } from "~/components/text-field";
import { useHydrated } from "~/components/use-hydrated";
import { STOREFRONT_API_VERSION } from "~/domain/shared/limits";
import { OF_ADDRESS, TEST_STORE } from "~/domain/store/store-connection";
import { useTranslation } from "~/i18n/translation";
import type { useFieldProps } from "./form-parts";
import { FailureAdvice } from "./store-failure-advice";
import type { ShownTest, useConnectionTest } from "./use-connection-test";
import { useMessage } from "./words";

type FieldMeta = ReturnType<ReturnType<typeof useFieldProps>>;

export interface StoreFieldsProps {
  /** Of the form. */
  readonly id: string;
  readonly url: FieldMeta;
  readonly token: FieldMeta;
  /** The address whose token is saved; null when none is. */
  readonly tokenOf: string | null;
  /** What stands before the token's field. */
  readonly lostToken: ReactNode;
  readonly connection: ReturnType<typeof useConnectionTest>;
  /** With scripts, which test without sending the form. */
  readonly isScripted: boolean;
  /** The form is being saved. */
  readonly busy: boolean;
}

/** What a test found wrong with a field, with what the form says of it already. */
function errorsWith(
  { error }: FieldMeta,
  test: ShownTest,
  code: "address" | "token",
  message: (key: string) => string,
) {
  const found: string[] = [];
  if (test.state === "failure") {
    if (test.code === code && test.key !== null) found.push(message(test.key));
    if (code === "address" && OF_ADDRESS.has(test.code)) found.push(message(`store:failure.${test.code}`));
  }
  return [...new Set([...(error ?? []), ...found])];
}

/** The store's address and token, with the button that tests them. */
export function StoreFields(props: StoreFieldsProps) {
  const { id, url, token, tokenOf, lostToken, connection, isScripted, busy } = props;
  const { t } = useTranslation();
  const message = useMessage();
  const hydrated = useHydrated();
  const { test, missing, isOther, check, run } = connection;
  const whole = useRef<HTMLFieldSetElement>(null);
  // What was typed before the scripts came counts as well.
  useEffect(() => {
    const typed = new FormData(whole.current?.form ?? undefined);
    check({ storeUrl: String(typed.get(url.name) ?? ""), token: String(typed.get(token.name) ?? "") });
  }, [check, url.name, token.name]);
  const verifying = test.state === "verifying";
  const store = { store: tokenOf?.replace(/^https:\/\//, "") ?? "" };
  const needs = missing && t(`store:test.needs.${missing}`, store);
  // Beside an answer it would speak of the field that is empty again, or say the same twice.
  const hint = test.state === "idle" ? needs : null;
  const place = `${id}-store`;
  // Without scripts the answer is a page of its own, which then begins here.
  const action = `${useFormAction()}#${place}`;
  return (
    <fieldset ref={whole} id={place} className="grid scroll-mt-32 gap-4">
      <legend className="mb-2 text-base font-semibold">{t("events:store")}</legend>
      <TextField
        {...url}
        error={errorsWith(url, test, "address", message)}
        label={t("events:storeUrl")}
        hint={t("events:storeUrlHint")}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      {lostToken}
      <PasswordField
        {...token}
        error={errorsWith(token, test, "token", message)}
        defaultValue=""
        label={t("events:storeToken")}
        hint={
          // What may become of one that is gone is asked before the field.
          tokenOf === null || lostToken
            ? t("events:storeTokenHint")
            : isOther
              ? t("events:storeTokenOther", store)
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
        {/* Always there, so that what appears in it is read out. */}
        <div role="status" data-test={test.state}>
          <TestAnswer test={test} needs={needs} />
        </div>
      </div>
    </fieldset>
  );
}

/** What a test came to, in the words of §8. */
function TestAnswer({ test, needs }: { readonly test: ShownTest; readonly needs: string | null }) {
  const { t } = useTranslation();
  switch (test.state) {
    case "idle":
      return null;
    case "verifying":
      return <span className="sr-only">{t("store:test.verifying")}</span>;
    case "nothing":
      return (
        <Notice tone="warning" title={t("store:test.nothingDone")}>
          {needs}
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
          <FailureAdvice {...failure} code={OF_ADDRESS.has(code) ? "address" : code} />
        </Notice>
      );
    }
  }
}
