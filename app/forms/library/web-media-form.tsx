import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button, ButtonRow } from "~/components/button";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { TextField } from "~/components/fields/text-field";
import { MEDIA_TITLE_MAX } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";
import { useMessage } from "../shared/user-message";

export interface WebUrlFormProps {
  /** The URL that was typed before. */
  readonly typed: string;
  /** The error of the URL as a packed message; null without an error. */
  readonly problem: string | null;
  /** Names of the supported providers. */
  readonly providers: readonly string[];
  /** Query parameters of the list below the form, which the form keeps. */
  readonly keptParams: readonly (readonly [name: string, value: string])[];
  readonly cancelHref: string;
}

/** Form for the URL of a media item on the web. It uses GET, because it changes nothing. */
export function WebUrlForm({ typed, problem, providers, keptParams, cancelHref }: WebUrlFormProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const navigation = useNavigation();
  const pending = navigation.state === "loading" && navigation.location.search.includes("dialog=web");
  const error = problem === null ? undefined : message(problem);
  return (
    <Form method="get" className="grid gap-6" preventScrollReset>
      <p className="text-muted text-phrase">
        {t("library:webMedia.lead", { providers: providers.join(t("shared-owners:listSeparator")) })}
      </p>
      {error && (
        <FormErrorSummary errors={[{ id: "web-url", label: t("library:webMedia.url"), message: error }]} />
      )}
      {keptParams.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="dialog" value="web" />
      <TextField
        id="web-url"
        name="url"
        label={t("library:webMedia.url")}
        hint={t("library:webMedia.urlHint")}
        error={error}
        defaultValue={typed}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        required
      />
      <FormButtons
        keepScroll
        submit={t("library:webMedia.look")}
        pending={pending}
        cancel={t("library:webMedia.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}

export interface WebChangeFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** The saved URL. */
  readonly url: string;
  readonly version: number;
  readonly provider: string;
}

/** Replaces the URL of a media item on the web, or fetches the saved URL again. */
export function WebChangeForm({ lastResult, url, version, provider }: WebChangeFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const busyIntent = useNavigation().formData?.get("intent");
  const [form, fields] = useForm<{ url: string; version: string }, string[]>({
    id: "web-change",
    lastResult,
    defaultValue: { url, version: String(version) },
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-3" preventScrollReset>
      <FormErrors form={form} labels={{ url: t("library:webMedia.url") }} />
      <input type="hidden" name={fields.version.name} value={version} />
      <TextField
        {...fieldProps(fields.url)}
        label={t("library:webMedia.url")}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        required
      />
      <ButtonRow>
        <Button type="submit" name="intent" value="replace-web" pending={busyIntent === "replace-web"}>
          {t("library:webMedia.replaceSubmit")}
        </Button>
        <Button
          type="submit"
          variant="quiet"
          name="intent"
          value="refresh-web"
          formNoValidate
          pending={busyIntent === "refresh-web"}
        >
          {t("library:webMedia.refresh", { provider })}
        </Button>
      </ButtonRow>
    </Form>
  );
}

export interface WebMediaFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** The URL whose preview is shown. */
  readonly url: string;
  /** Title that the provider returned. */
  readonly title: string;
  /** URL of the form in which another URL can be typed. */
  readonly againHref: string;
  readonly cancelHref: string;
}

/** Adds the media item of the preview to the library under a title. */
export function WebMediaForm({ lastResult, url, title, againHref, cancelHref }: WebMediaFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm<{ title: string; url: string }, string[]>({
    id: "web-media",
    lastResult,
    defaultValue: { title, url },
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <FormErrors
        form={form}
        labels={{ url: t("library:webMedia.url"), title: t("library:webMedia.title") }}
      />
      <input type="hidden" name="intent" value="add-web" />
      <input type="hidden" name={fields.url.name} value={url} />
      <TextField
        {...fieldProps(fields.title)}
        label={t("library:webMedia.title")}
        maxCharacters={MEDIA_TITLE_MAX}
        autoComplete="off"
      />
      <p className="text-sm">
        <Anchor href={againHref} className="text-link">
          {t("library:webMedia.other")}
        </Anchor>
      </p>
      <FormButtons
        keepScroll
        submit={t("library:webMedia.save")}
        cancel={t("library:webMedia.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
