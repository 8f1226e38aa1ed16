import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { useRef } from "react";
import { Anchor } from "~/components/anchor";
import { RadioCards } from "~/components/fields/radio-cards";
import { setNativeValue } from "~/components/fields/set-native-value";
import { TextField } from "~/components/fields/text-field";
import { createEventCreateSchema } from "~/domain/events/event-create.schema";
import type { LocalizedInput } from "~/domain/events/event-form";
import { EVENT_TEMPLATE_NAMES, type EventTemplateName } from "~/domain/events/templates/template-names";
import { EVENT_NAME_MAX } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";
import { TemplateDrawing } from "./template-drawing";

export interface EventCreateFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** Names that the templates suggest, in the page's language. */
  readonly names: Readonly<Record<EventTemplateName, string>>;
  /** The only event of the space, if the space's name begins with its name and it has neither tags nor media items. */
  readonly emptyEvent: { readonly id: string; readonly name: string } | null;
  readonly cancelHref: string;
}

/** Adds an event to a space, either empty or from a template. All other settings are made in the event's own form later. */
export function EventCreateForm({ lastResult, names, emptyEvent, cancelHref }: EventCreateFormProps) {
  const { t, language } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm<{ eventName: LocalizedInput; template: string }>({
    id: "event",
    lastResult,
    onValidate: ({ formData }) =>
      parseWithZod(formData, { schema: createEventCreateSchema(language) }) as never,
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  const name = fields.eventName.getFieldset()[language];
  const suggestedName = useRef("");
  /** Suggests the template's name unless the owner has typed another one. */
  const suggestName = (template: string) => {
    const input = document.getElementById(name.id);
    if (!(input instanceof HTMLInputElement)) return;
    const isReplaceable = input.value.trim() === "" || input.value === suggestedName.current;
    suggestedName.current = template === "" ? "" : names[template as EventTemplateName];
    if (isReplaceable) setNativeValue(input, suggestedName.current);
  };
  const { error, ...template } = fieldProps(fields.template);
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <p className="text-muted text-phrase">{t("spaces:detail.createEventLead")}</p>
      {emptyEvent && (
        <p className="text-phrase">
          {t("spaces:detail.emptyEvent")}{" "}
          <Anchor href={`/event/${emptyEvent.id}`} className="inline-flex min-h-6 items-center underline">
            {t("spaces:detail.useEvent", { name: emptyEvent.name })}
          </Anchor>
        </p>
      )}
      <FormErrors
        form={form}
        labels={{ eventName: t("spaces:detail.eventName"), template: t("spaces:template.label") }}
      />
      <TextField
        {...fieldProps(name)}
        label={t("spaces:detail.eventName")}
        maxCharacters={EVENT_NAME_MAX}
        autoComplete="off"
        required
      />
      <RadioCards
        {...template}
        error={error}
        label={t("spaces:template.label")}
        hint={t("spaces:template.hint")}
        onChange={suggestName}
        options={[
          {
            value: "",
            label: t("spaces:template.empty"),
            description: t("spaces:template.about.empty"),
            image: <TemplateDrawing name="empty" />,
            isWide: true,
          },
          ...EVENT_TEMPLATE_NAMES.map((value) => ({
            value,
            label: t(`spaces:template.${value}`),
            description: t(`spaces:template.about.${value}`),
            image: <TemplateDrawing name={value} />,
          })),
        ]}
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
