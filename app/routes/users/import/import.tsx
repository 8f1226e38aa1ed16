import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useNavigation } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { FileField } from "~/components/fields/file-field";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { SelectField } from "~/components/fields/select-field";
import { PageHeader } from "~/components/page-header";
import { IMPORT_MAX_BYTES } from "~/domain/shared/limits";
import { CSV_ENCODINGS, EXPORT_COLUMNS, IMPORT_COLUMNS, readEncoding } from "~/domain/users/user-csv";
import { packMessage, useMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { requireAdministratorSession } from "../administrator.server";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireAdministratorSession(context);
  return { title: pageTitle(context, "users:csv.importTitle") };
}

export async function action({ context }: ActionFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const { file, texts } = await context.form.readUpload("file", IMPORT_MAX_BYTES);
  const encoding = readEncoding(texts.encoding);
  const reject = (problem: string) => data({ problem, encoding }, { status: 400 });
  if (file === null) return reject("users:csv.problem.noFile");
  if (file === "too_large") return reject("users:csv.problem.tooLarge");
  const result = await context.attempt(context.services.users.checkImport({ actor, encoding, ...file }));
  if (result.ok) throw redirect(`/user-list/import/${result.value.id}`);
  const { fields, userMessage } = result.failure;
  return reject(packMessage(fields.file?.[0] ?? userMessage));
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "users"],
  topBar: (_data, t: Translate) => ({ title: t("users:people.usersTitle") }),
};

export default function ImportUsers() {
  const { t } = useTranslation();
  useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const message = useMessage();
  const busy = useNavigation().formMethod === "POST";
  const error = result ? message(result.problem) : null;
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={t("users:csv.importTitle")}
        breadcrumbs={[{ label: t("users:people.usersTitle"), href: "/user-list" }]}
        description={t("users:csv.importLead")}
      />
      <Form method="post" encType="multipart/form-data" className="grid gap-6">
        {error && <FormErrorSummary errors={[{ id: "file", label: t("users:csv.file"), message: error }]} />}
        <FileField
          name="file"
          label={t("users:csv.file")}
          hint={t("users:csv.fileHint")}
          error={error}
          accept=".csv,text/csv"
        />
        <SelectField
          name="encoding"
          label={t("users:csv.encodingField")}
          hint={t("users:csv.encodingHint")}
          defaultValue={result?.encoding ?? ""}
          options={[
            { value: "", label: t("users:csv.encodingAuto") },
            ...CSV_ENCODINGS.map((value) => ({ value, label: t(`users:csv.encodings.${value}`) })),
          ]}
        />
        <ButtonRow>
          <Button type="submit" variant="primary" pending={busy}>
            {t("users:csv.check")}
          </Button>
          <LinkButton href="/user-list" variant="quiet">
            {t("users:user.cancel")}
          </LinkButton>
        </ButtonRow>
      </Form>
      <section className="grid gap-3 border-t border-line pt-6">
        <h2 className="text-lg font-semibold">{t("users:csv.format")}</h2>
        <p className="text-sm text-muted">{t("users:csv.formatText")}</p>
        <dl className="grid gap-x-4 text-sm sm:grid-cols-[12rem_1fr]">
          {[...IMPORT_COLUMNS, ...EXPORT_COLUMNS].map((column) => (
            <div key={column} className="grid border-b border-line py-2 sm:col-span-2 sm:grid-cols-subgrid">
              <dt>
                <code>{column}</code>
              </dt>
              <dd className="text-muted">{t(`users:csv.columns.${column}`)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Container>
  );
}
