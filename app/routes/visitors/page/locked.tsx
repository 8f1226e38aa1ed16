import { Form, useLocation, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { PasswordField } from "~/components/fields/password-field";
import { Icon } from "~/components/icon";
import { LanguageSwitch } from "~/components/menus/language-switch";
import { Notice } from "~/components/status/notice";
import { VersionText } from "~/components/version-text";
import { useTranslation } from "~/i18n/translation";
import { Cover } from "./cover";

/** Data that a visitor may see before entering the password. */
export interface LockedProps {
  /** Null if the owner does not show the name. */
  readonly name: string | null;
  /** URL of the cover image; null without one, or if the owner does not show it. */
  readonly cover: string | null;
  /** Version text; null if none is displayed. */
  readonly version: string | null;
  /** Error message of the entered password. */
  readonly error?: string;
  /** Message if the browser rejected the cookie after a correct password, with the text and the URL of a link that opens the page outside of the frame. */
  readonly cookieRejected: { readonly text: string; readonly link: string; readonly href: string } | null;
}

/** Password form of an event with a publish password, with the data that the owner shows before the password is entered. */
export default function Locked({ name, cover, version, error, cookieRejected }: LockedProps) {
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  const busy = useNavigation().state !== "idle";
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-6 px-4 py-12"
    >
      {cover ? <Cover url={cover} /> : <Icon name="lock" size={32} className="text-accent" />}
      <header className="grid gap-2">
        {name !== null && <p className="text-sm text-muted wrap-anywhere">{name}</p>}
        <h1 className="text-lg leading-title font-semibold">{t("visitors-late:passwordTitle")}</h1>
        <p className="text-muted">{t("visitors-late:passwordText")}</p>
      </header>
      {cookieRejected && !error && (
        <Notice tone="warning" live>
          <p>{cookieRejected.text}</p>
          <a href={cookieRejected.href} target="_blank" rel="noreferrer" className="text-link">
            {cookieRejected.link}
          </a>
        </Notice>
      )}
      <Form method="post" className="grid gap-6">
        {error && (
          <FormErrorSummary
            errors={[{ id: "password", label: t("visitors-late:password"), message: error }]}
            hint={null}
          />
        )}
        <PasswordField
          name="password"
          label={t("visitors-late:password")}
          error={error}
          autoComplete="off"
          required
        />
        <Button type="submit" variant="primary" pending={busy}>
          {t("visitors-late:passwordSubmit")}
        </Button>
      </Form>
      <footer className="grid gap-2 border-t border-line pt-4">
        <LanguageSwitch lang={language} url={pathname + search} />
        <VersionText version={version} />
      </footer>
    </main>
  );
}
