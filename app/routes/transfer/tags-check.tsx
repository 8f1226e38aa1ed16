import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useNavigation, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { Pager } from "~/components/pager";
import { Notice } from "~/components/status/notice";
import { PAGE_SIZE } from "~/domain/shared/limits";
import { parseListQuery } from "~/domain/shared/list-query.schema";
import { failureMessage, packMessage, useMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { hrefWith } from "../shared/href-with";
import { pagerProps } from "../shared/pager-props";
import { pageTitle } from "../shared/title";
import { uuidParam } from "../shared/uuid-param";
import { TagLines } from "./tag-lines";

const OUTCOMES = ["create", "update", "unchanged", "error"] as const;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const [eventId, importId] = [uuidParam(params.uuid), uuidParam(params.importUuid)];
  const tagImportRead = context.services.content.getTagImport({ actor, eventId, importId });
  const result = await context.attempt(tagImportRead);
  // The event has too many tags now for those of the file.
  if (!result.ok && result.failure.code === "bad_file")
    return data(
      {
        title: pageTitle(context, "shared-owners:transfer.tags"),
        eventId,
        problem: packMessage(failureMessage(result.failure)),
      },
      { status: result.failure.status },
    );
  const tagImport = await tagImportRead;
  const { fileName, lines, isDone, changesOrder, deleted, deletesMissing } = tagImport;
  const { searchParams } = new URL(request.url);
  const onlyErrors = searchParams.get("show") === "errors";
  const visibleLines = onlyErrors ? lines.filter(({ outcome }) => outcome === "error") : lines;
  const lastPage = Math.max(1, Math.ceil(visibleLines.length / PAGE_SIZE));
  const page = Math.min(parseListQuery(searchParams).page, lastPage);
  const pageLines = visibleLines.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const counts = OUTCOMES.map((name) => ({
    name,
    count: lines.filter(({ outcome }) => outcome === name).length,
  }));
  const countOf = (name: string) => counts.find((entry) => entry.name === name)?.count ?? 0;
  return {
    title: pageTitle(context, isDone ? "transfer:csv.doneTitle" : "transfer:csv.checkTitle", {
      file: fileName,
    }),
    eventId,
    fileName,
    isDone,
    changesOrder,
    onlyErrors,
    counts,
    errors: countOf("error"),
    deleted: deleted.map(({ title }) => title),
    isDeletionSkipped: deletesMissing && countOf("error") > 0 && deleted.length === 0,
    changes: countOf("create") + countOf("update") + deleted.length + Number(changesOrder),
    page: { page, total: visibleLines.length, count: pageLines.length },
    lines: pageLines.map(({ line, id, title, outcome, columns, problems }) => ({
      line,
      id,
      title,
      outcome,
      columns,
      problems: problems.map(({ column, message }) => ({
        column,
        problem: packMessage(context.translateMessage(message)),
      })),
    })),
  };
}

export async function action({ params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const [eventId, importId] = [uuidParam(params.uuid), uuidParam(params.importUuid)];
  const tagImportWrite = context.services.content.applyTagImport({ actor, eventId, importId });
  const result = await context.attempt(tagImportWrite);
  // After the redirect, the loader shows why the file does not fit.
  if (!result.ok && result.failure.code !== "bad_file") await tagImportWrite;
  throw redirect(`/event/${eventId}/tags/${importId}`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "transfer"],
  topBar: (_data, t: Translate) => ({ title: t("shared-owners:transfer.tags") }),
};

/** Shows the changes of a CSV file of tags line by line, before they are confirmed and after they were applied. */
export default function TagTableCheck() {
  const page = useLoaderData<typeof loader>();
  return "problem" in page ? <RejectedTagTable {...page} /> : <CheckedTagTable page={page} />;
}

type LoadedPage = ReturnType<typeof useLoaderData<typeof loader>>;

/** Shows why a checked file can no longer be imported. */
function RejectedTagTable({ eventId, problem }: Extract<LoadedPage, { readonly problem: string }>) {
  const { t } = useTranslation();
  const message = useMessage();
  return (
    <Container as="main" id="main" className="grid gap-6 py-8">
      <PageHeader title={t("shared-owners:transfer.tags")} />
      <Notice tone="danger" title={message(problem)} live />
      <LinkButton href={`/event/${eventId}/tags`} className="justify-self-start">
        {t("transfer:csv.again")}
      </LinkButton>
    </Container>
  );
}

function CheckedTagTable({ page }: { readonly page: Exclude<LoadedPage, { readonly problem: string }> }) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const busy = useNavigation().formMethod === "POST";
  const { eventId, fileName, isDone, changes, counts, deleted, errors, onlyErrors } = page;
  const title = isDone
    ? t(changes > 0 ? "transfer:csv.done" : "transfer:csv.nothingDone")
    : t(changes > 0 ? "transfer:csv.checked" : "transfer:csv.nothing");
  return (
    <Container as="main" id="main" className="grid gap-6 py-8">
      <PageHeader
        title={t(isDone ? "transfer:csv.doneTitle" : "transfer:csv.checkTitle", { file: fileName })}
        breadcrumbs={[{ label: t("shared-owners:transfer.tags"), href: `/event/${eventId}/tags` }]}
      />
      <Notice tone={isDone && changes > 0 ? "success" : "info"} title={title} live={isDone}>
        <ul className="mt-1 flex flex-wrap gap-x-6 tabular-nums">
          {counts.map(({ name, count }) => (
            <li key={name}>{t(`transfer:csv.count.${name}`, { count })}</li>
          ))}
          {deleted.length > 0 && <li>{t("transfer:csv.count.deleted", { count: deleted.length })}</li>}
        </ul>
        {page.changesOrder && (
          <p className="mt-1">{t(isDone ? "transfer:csv.moved" : "transfer:csv.moves")}</p>
        )}
        {errors > 0 && !isDone && <p className="mt-1">{t("transfer:csv.errorsLeftOut")}</p>}
        {page.isDeletionSkipped && !isDone && <p className="mt-1">{t("transfer:csv.notDeleted")}</p>}
      </Notice>
      {deleted.length > 0 && (
        <details className="text-sm">
          <summary className="flex min-h-10 cursor-pointer items-center font-semibold">
            {t("transfer:csv.deletedTags")}
          </summary>
          <ul className="list-disc pl-5">
            {deleted.map((name, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be the same, and the list never changes
              <li key={i}>{name}</li>
            ))}
          </ul>
        </details>
      )}
      {isDone ? (
        <ButtonRow>
          <LinkButton href={`/event/${eventId}?panel=tags`} variant="primary">
            {t("transfer:csv.toEvent")}
          </LinkButton>
          <LinkButton href={`/event/${eventId}/history`} variant="quiet">
            {t("transfer:csv.toHistory")}
          </LinkButton>
        </ButtonRow>
      ) : (
        <Form method="post">
          <ButtonRow>
            {changes > 0 && (
              <Button type="submit" variant="primary" pending={busy}>
                {t("transfer:csv.confirm")}
              </Button>
            )}
            <LinkButton href={`/event/${eventId}/tags`} variant="quiet">
              {t("transfer:csv.again")}
            </LinkButton>
          </ButtonRow>
        </Form>
      )}
      <div>
        {(errors > 0 || onlyErrors) && (
          <Anchor
            href={hrefWith(searchParams, "show", onlyErrors ? null : "errors")}
            keepScroll
            className="inline-flex min-h-10 items-center text-sm underline"
          >
            {t(onlyErrors ? "transfer:csv.allLines" : "transfer:csv.onlyErrors")}
          </Anchor>
        )}
        <TagLines lines={page.lines} />
        <Pager {...pagerProps(page.page, searchParams)} />
      </div>
    </Container>
  );
}
