import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { controlProps, Field, fieldIds } from "~/components/fields/field";
import { TextField } from "~/components/fields/text-field";
import { TickList } from "~/components/fields/tick-list";
import { EVENT_MESSAGE_TYPES, messageName } from "~/domain/webhooks/webhooks";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";

/** A space or event to which a webhook can be limited. */
export interface TargetOption {
  /** Text that the form posts: "space~{uuid}" or "event~{uuid}" (writeTarget). */
  readonly value: string;
  readonly label: string;
}

export interface WebhookFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** Values of the saved webhook, or initial values of a new one. */
  readonly values: {
    readonly url: string;
    readonly types: readonly string[];
    readonly target: string;
    /** Id of a new webhook. */
    readonly id?: string;
    /** Version of a saved webhook. */
    readonly version?: number;
  };
  readonly spaces: readonly TargetOption[];
  readonly events: readonly TargetOption[];
  readonly submit: string;
  readonly cancelHref: string;
}

type Fields = {
  readonly id: string;
  readonly version: string;
  readonly url: string;
  readonly types: string[];
  readonly target: string;
};

/** Form for the URL, the message types and the target (the events that it reports on) of a webhook. */
export function WebhookForm({ lastResult, values, spaces, events, submit, cancelHref }: WebhookFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm<Fields, string[]>({
    id: "webhook",
    lastResult,
    defaultValue: {
      id: values.id ?? "",
      version: String(values.version ?? ""),
      url: values.url,
      types: [...values.types],
      target: values.target,
    },
    defaultNoValidate: false,
  });
  const target = fieldProps(fields.target);
  const ids = fieldIds(target.id, { error: target.error });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <FormErrors
        form={form}
        labels={{ url: t("webhooks:url"), types: t("webhooks:types"), target: t("webhooks:target") }}
      />
      {values.id && (
        <input type="hidden" name={fields.id.name} value={String(fields.id.initialValue ?? values.id)} />
      )}
      {values.version !== undefined && (
        <>
          <input type="hidden" name="intent" value="update" />
          <input type="hidden" name={fields.version.name} value={values.version} />
        </>
      )}
      <TextField
        {...fieldProps(fields.url)}
        inputMode="url"
        label={t("webhooks:url")}
        hint={t("webhooks:urlHint")}
        autoComplete="off"
        required
      />
      <TickList
        {...fieldProps(fields.types)}
        label={t("webhooks:types")}
        required
        options={EVENT_MESSAGE_TYPES.map((type) => ({
          value: type,
          label: t(`webhooks:type.${messageName(type)}`),
          ...(type === "event.changed" && { hint: t("webhooks:changedHint") }),
        }))}
        defaultValues={[fields.types.initialValue ?? []].flat().map(String)}
      />
      <Field label={t("webhooks:target")} ids={ids} error={target.error}>
        <div className="select">
          <select
            name={target.name}
            {...controlProps(ids, target.error)}
            defaultValue={target.defaultValue}
            className="control"
          >
            <option value="all">{t("webhooks:all")}</option>
            <TargetGroup label={t("webhooks:spaces")} options={spaces} />
            <TargetGroup label={t("webhooks:events")} options={events} />
          </select>
        </div>
      </Field>
      <FormButtons
        keepScroll
        submit={submit}
        cancel={t("shared-owners:confirm.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}

function TargetGroup({
  label,
  options,
}: {
  readonly label: string;
  readonly options: readonly TargetOption[];
}) {
  if (options.length === 0) return null;
  return (
    <optgroup label={label}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </optgroup>
  );
}
