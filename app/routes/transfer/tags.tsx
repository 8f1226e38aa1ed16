import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useNavigation } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { FileField } from "~/components/fields/file-field";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { PageHeader } from "~/components/page-header";
import { TAG_CSV_MAX_BYTES, TAG_CSV_MAX_MB } from "~/domain/shared/limits";
import { textIn } from "~/domain/shared/localized";
import { TAG_COLUMNS } from "~/domain/transfer/tag-csv.schema";
import { packMessage, useMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { useActionResult } from "../shared/unsent-form";
import { uuidParam } from "../shared/uuid-param";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const { event } = await context.services.events.getEvent({ actor, eventId: uuidParam(params.uuid) });
  const name = textIn(event.eventName, context.lang);
  return { title: pageTitle(context, "transfer:csv.title", { name }), id: event.id, name };
}

export async function action({ params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { file, texts } = await context.form.readUpload("file", TAG_CSV_MAX_BYTES);
  const deletesMissing = texts.deletesMissing === "on";
  const reject = (problem: string) => data({ problem, deletesMissing }, { status: 400 });
  if (file === null) return reject("transfer:csv.problem.noFile");
  if (file === "too_large") return reject("transfer:csv.problem.tooLarge");
  const result = await context.attempt(
    context.services.content.checkTagImport({ actor, eventId, encoding: null, deletesMissing, ...file }),
  );
  if (result.ok) throw redirect(`/event/${eventId}/tags/${result.value.id}`);
  const { fields, userMessage, status } = result.failure;
  if (status === 404) throw new Response(null, { status, statusText: "Not Found" });
  return reject(packMessage(fields.file?.[0] ?? userMessage));
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "transfer"],
  topBar: ({ name }: { readonly name: string }, _t: Translate) => ({ title: name }),
};

/** Exports and imports an event's tags as a CSV file. */
export default function TagTable() {
  const { t } = useTranslation();
  const { id, name } = useLoaderData<typeof loader>();
  const rejection = useActionResult<typeof action>();
  const message = useMessage();
  const busy = useNavigation().formMethod === "POST";
  const error = rejection ? message(rejection.problem) : null;
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={t("transfer:csv.title", { name })}
        breadcrumbs={[{ label: name, href: `/event/${id}?panel=tags` }]}
        description={t("transfer:csv.lead")}
      />
      <section aria-labelledby="out" className="grid justify-items-start gap-3">
        <h2 id="out" className="text-base font-semibold">
          {t("transfer:csv.exportTitle")}
        </h2>
        <p className="text-sm text-muted text-phrase">{t("transfer:csv.exportText")}</p>
        <LinkButton icon="download" href={`/event/${id}/tags/export`} download>
          {t("transfer:csv.exportSubmit")}
        </LinkButton>
      </section>
      <section aria-labelledby="in" className="grid gap-3 border-t border-line pt-6">
        <h2 id="in" className="text-base font-semibold">
          {t("transfer:csv.importTitle")}
        </h2>
        <p className="text-sm text-muted text-phrase">{t("transfer:csv.importText")}</p>
        <Form method="post" encType="multipart/form-data" className="mt-2 grid gap-6">
          {error && (
            <FormErrorSummary errors={[{ id: "file", label: t("transfer:csv.file"), message: error }]} />
          )}
          <FileField
            name="file"
            label={t("transfer:csv.file")}
            hint={t("transfer:csv.fileHint", { max: TAG_CSV_MAX_MB })}
            error={error}
            accept=".csv,.tsv,text/csv"
          />
          <CheckboxField
            name="deletesMissing"
            label={t("transfer:csv.deletesMissing")}
            hint={t("transfer:csv.deletesMissingHint")}
            defaultChecked={rejection?.deletesMissing}
          />
          <ButtonRow>
            <Button type="submit" variant="primary" pending={busy}>
              {t("transfer:csv.check")}
            </Button>
            <LinkButton href={`/event/${id}?panel=tags`} variant="quiet">
              {t("transfer:csv.cancel")}
            </LinkButton>
          </ButtonRow>
        </Form>
        <h3 className="mt-4 text-sm font-semibold">{t("transfer:csv.columns")}</h3>
        <p className="text-xs leading-relaxed text-muted wrap-anywhere">
          <code>{TAG_COLUMNS.join(", ")}</code>
        </p>
      </section>
    </Container>
  );
}
