import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { RadioCards } from "~/components/fields/radio-cards";
import { ScriptedCombobox } from "~/components/fields/select-field";
import { Notice } from "~/components/status/notice";
import { createEventCopySchema } from "~/domain/events/event-copy.schema";
import type { LocalizedInput } from "~/domain/events/event-form";
import type { Localized } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";
import { FormSearch } from "../shared/form-search";
import { EventTextFields, textFieldLabels } from "./event-text-fields";

interface TargetSpace {
  readonly id: string;
  readonly name: string;
  /** Name of the folder that contains the space; empty for the top level. */
  readonly folder: string;
  readonly isCurrentSpace: boolean;
}

/** Searches the server for further spaces by name. */
export type FindSpaces = (
  text: string,
  signal: AbortSignal,
) => Promise<{ readonly spaces: readonly TargetSpace[]; readonly hasMore: boolean }>;

export interface EventCopyFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly event: { readonly id: string; readonly copyName: Localized };
  /** Target spaces. The event's own space is first. */
  readonly spaces: readonly TargetSpace[];
  /** Whether there are further spaces. */
  readonly hasMore: boolean;
  /** Search text by which the spaces were found; empty without a search. */
  readonly q: string;
  readonly find: FindSpaces;
  readonly cancelHref: string;
}

/** Copies an event to the chosen space under a new name. */
export function EventCopyForm({
  lastResult,
  event,
  spaces,
  hasMore,
  q,
  find,
  cancelHref,
}: EventCopyFormProps) {
  const { t, language } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm<{ spaceId: string; eventName: LocalizedInput }>({
    id: "copy",
    lastResult,
    defaultValue: { spaceId: spaces[0]?.id ?? "", eventName: event.copyName },
    onValidate: ({ formData }) =>
      parseWithZod(formData, { schema: createEventCopySchema(language) }) as never,
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  const labels = { spaceId: t("events:spaceEvents.into"), eventName: t("events:spaceEvents.name") };
  const errorLabels = { ...labels, ...textFieldLabels(t, "eventName", labels.eventName) };
  const { defaultValue, ...spaceField } = fieldProps(fields.spaceId);
  const isListed = spaces.some(({ id }) => id === defaultValue);
  const fieldInput = {
    ...spaceField,
    label: labels.spaceId,
    hint: t("events:spaceEvents.copyPlaces"),
    required: true,
    defaultValue: isListed ? defaultValue : (spaces[0]?.id ?? ""),
  };
  const toOption = ({ id, name, folder, isCurrentSpace }: TargetSpace) => ({
    value: id,
    label: name,
    detail: isCurrentSpace ? t("events:spaceEvents.here") : folder,
  });
  const options = spaces.map(toOption);
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <FormErrors form={form} labels={errorLabels} />
      <input type="hidden" name="intent" value="copy-event" />
      <input type="hidden" name="event" value={event.id} />
      {/* The event's own space is always in the list. */}
      <noscript>
        <SpaceSearch q={q} isNoneFound={spaces.length === 1} hasMore={hasMore} />
      </noscript>
      <ScriptedCombobox
        {...fieldInput}
        options={options}
        hasMore={hasMore}
        find={async (text, signal) => {
          const result = await find(text, signal);
          return { ...result, options: result.spaces.map(toOption) };
        }}
      >
        <RadioCards
          {...fieldInput}
          options={options.map(({ detail, ...option }) => ({ ...option, description: detail }))}
        />
      </ScriptedCombobox>
      <EventTextFields name={fields.eventName} nameLabel={labels.eventName} />
      <FormButtons
        keepScroll
        submit={t("events:spaceEvents.copySubmit")}
        cancel={t("events:spaceEvents.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}

/** Search for spaces without scripts. */
function SpaceSearch({
  q,
  isNoneFound,
  hasMore,
}: Pick<EventCopyFormProps, "q" | "hasMore"> & { readonly isNoneFound: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      {/* The Enter key presses the first submit button of a form, which must not be the search. */}
      <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />
      <input type="hidden" name="dialog" value="copy-event" />
      <FormSearch
        label={t("events:spaceEvents.find")}
        buttonLabel={t("events:spaceEvents.findSubmit")}
        q={q}
      />
      {q !== "" && isNoneFound && <Notice>{t("events:spaceEvents.foundNone", { q })}</Notice>}
      {hasMore && <Notice>{t("events:spaceEvents.foundMore")}</Notice>}
    </div>
  );
}
