import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useNavigation } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { TextField } from "~/components/fields/text-field";
import { GROUP_NAME_MAX } from "~/domain/shared/limits";
import { createGroupRenameSchema, createGroupSchema } from "~/domain/users/group.schema";
import { useTranslation } from "~/i18n/translation";
import { FormErrors, useFieldProps } from "../shared/form-parts";

export interface GroupFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** The group that is renamed; null for a new one. */
  readonly group: { readonly name: string; readonly version: number } | null;
  /** Whether the group is in the trash. Saving then restores it. */
  readonly restores?: boolean;
  readonly cancelHref: string;
}

/** Creates or renames a group. */
export function GroupForm({ lastResult, group, restores = false, cancelHref }: GroupFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const busy = useNavigation().formMethod === "POST";
  const schema = group ? createGroupRenameSchema() : createGroupSchema();
  const [form, fields] = useForm<{ name: string; version?: string }>({
    id: "group",
    lastResult,
    defaultValue: { name: group?.name ?? "", version: String(group?.version ?? "") },
    onValidate: ({ formData }) => parseWithZod(formData, { schema }) as never,
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <FormErrors form={form} labels={{ name: t("users:group.name") }} />
      <input type="hidden" name="act" value={group ? "rename" : "create"} />
      {restores && <input type="hidden" name="restore" value="on" />}
      {group && (
        <input type="hidden" key={group.version} name={fields.version.name} defaultValue={group.version} />
      )}
      <TextField
        {...fieldProps(fields.name)}
        label={t("users:group.name")}
        maxCharacters={GROUP_NAME_MAX}
        autoComplete="off"
        required
      />
      <ButtonRow>
        <Button type="submit" variant="primary" pending={busy}>
          {restores ? t("users:group.restoreAndSave") : t("users:group.save")}
        </Button>
        <LinkButton href={cancelHref} variant="quiet" keepScroll>
          {t("users:group.cancel")}
        </LinkButton>
      </ButtonRow>
    </Form>
  );
}
