import type { SubmissionResult } from "@conform-to/react";
import { useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { ComboboxField } from "~/components/fields/select-field";
import { createSharingSchema } from "~/domain/folders/sharing.schema";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";

export interface SharingFormProps {
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  /** The group with which the item is shared now; null for none. */
  readonly groupId: string | null;
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly cancelHref: string;
}

/** Chooses the group with which a folder, a space or a medium is shared. */
export function SharingForm({ groups, groupId, lastResult, cancelHref }: SharingFormProps) {
  const { t } = useTranslation();
  const props = useFieldProps();
  const [form, fields] = useForm({
    id: "sharing",
    lastResult,
    defaultValue: { groupId: groupId ?? "" },
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createSharingSchema() }),
  });
  return (
    <Form method="post" id={form.id} onSubmit={form.onSubmit} className="grid gap-6">
      <FormErrors form={form} labels={{ groupId: t("spaces:sharing.group") }} />
      <ComboboxField
        key={fields.groupId.key}
        {...props(fields.groupId)}
        label={t("spaces:sharing.group")}
        hint={t("spaces:sharing.hint")}
        options={[
          { value: "", label: t("spaces:sharing.nobody") },
          ...groups.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <FormButtons submit={t("spaces:sharing.submit")} cancel={t("spaces:cancel")} cancelHref={cancelHref} />
    </Form>
  );
}
