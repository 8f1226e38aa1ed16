import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { TextField } from "~/components/fields/text-field";
import { createEventCreateSchema } from "~/domain/events/event-create.schema";
import type { LocalizedInput } from "~/domain/events/event-form";
import { EVENT_NAME_MAX } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";

export interface EventCreateFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly cancelHref: string;
}

/** Adds an event to a space. The event form sets everything except the name afterwards. */
export function EventCreateForm({ lastResult, cancelHref }: EventCreateFormProps) {
  const { t, language } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm<{ eventName: LocalizedInput }, string[]>({
    id: "event",
    lastResult,
    onValidate: ({ formData }) =>
      parseWithZod(formData, { schema: createEventCreateSchema(language) }) as never,
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <p className="text-muted text-phrase">{t("spaces:detail.createEventLead")}</p>
      <FormErrors form={form} labels={{ eventName: t("spaces:detail.eventName") }} />
      <TextField
        {...fieldProps(fields.eventName.getFieldset()[language] as never)}
        label={t("spaces:detail.eventName")}
        maxCharacters={EVENT_NAME_MAX}
        autoComplete="off"
        required
      />
      <FormButtons
        keepScroll
        submit={t("spaces:detail.createEventSubmit")}
        cancel={t("spaces:cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
