import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { TextField } from "~/components/fields/text-field";
import { Notice } from "~/components/status/notice";
import { createFolderSchema, createRenameSchema, treeNameMax } from "~/domain/folders/folder.schema";
import { type TreeRef, writeTreeRef } from "~/domain/folders/tree-list.schema";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "./form-parts";

export interface NameFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** The item that is renamed; null for a new folder. After a conflict, `name` is the name that is saved now. */
  readonly item:
    | (TreeRef & { readonly name: string; readonly version: string; readonly isConflict: boolean })
    | null;
  readonly cancelHref: string;
}

/** Creates a folder, or renames a folder, a space or a media item. */
export function NameForm({ lastResult, item, cancelHref }: NameFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const schema = item ? createRenameSchema(item.kind) : createFolderSchema();
  const [form, fields] = useForm<{ name: string; version?: string }, string[]>({
    id: "name",
    lastResult,
    defaultValue: { name: item?.name ?? "", version: item?.version ?? "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema }) as never,
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  const label = item ? t("folders:name") : t("folders:folderName");
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <FormErrors form={form} labels={{ name: label }} />
      {item?.isConflict && (
        <Notice tone="warning" live>
          {t("folders:renameConflict", { name: item.name })}
        </Notice>
      )}
      <input type="hidden" name="intent" value={item ? "rename" : "new-folder"} />
      {item && <input type="hidden" name="item" value={writeTreeRef(item)} />}
      {item && (
        <input type="hidden" key={item.version} name={fields.version.name} defaultValue={item.version} />
      )}
      <TextField
        {...fieldProps(fields.name)}
        label={label}
        maxCharacters={treeNameMax(item?.kind ?? "folder")}
        autoComplete="off"
        required
      />
      <FormButtons
        keepScroll
        submit={item ? t("folders:save") : t("folders:create")}
        cancel={t("folders:cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
