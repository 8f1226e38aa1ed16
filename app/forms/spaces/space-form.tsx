import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { TextField } from "~/components/fields/text-field";
import { SPACE_NAME_MAX } from "~/domain/shared/limits";
import { createSpaceSchema } from "~/domain/spaces/space.schema";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";

export interface SpaceFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly folderId: string | null;
  readonly cancelHref: string;
}

/** Creates a space from a showcase's id or address. */
export function SpaceForm({ lastResult, folderId, cancelHref }: SpaceFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm({
    id: "space",
    lastResult,
    defaultValue: { name: "", showcase: "", folderId: folderId ?? "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createSpaceSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  const { userUuid } = useParams();
  const place = { ...(userUuid && { owner: userUuid }), ...(folderId && { folder: folderId }) };
  const filesHref = `/space-list/new?${new URLSearchParams({ kind: "model", ...place })}`;
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <p className="text-muted text-phrase">{t("spaces:createLead")}</p>
      <p className="text-sm">
        <Anchor
          href={filesHref}
          className="inline-flex min-h-10 items-center text-accent underline underline-offset-4"
        >
          {t("spaces:sources.others")}
        </Anchor>
      </p>
      <FormErrors form={form} labels={{ name: t("spaces:name"), showcase: t("spaces:showcase") }} />
      <input type="hidden" name={fields.folderId.name} defaultValue={folderId ?? ""} />
      <TextField
        {...fieldProps(fields.name)}
        label={t("spaces:name")}
        maxCharacters={SPACE_NAME_MAX}
        autoComplete="off"
        required
      />
      <TextField
        {...fieldProps(fields.showcase)}
        label={t("spaces:showcase")}
        hint={t("spaces:showcaseHint")}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        required
      />
      <FormButtons
        keepScroll
        submit={t("spaces:createSubmit")}
        cancel={t("spaces:cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
