import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useNavigation, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { Pager } from "~/components/pager";
import { Table } from "~/components/table";
import { PAGE_SIZE } from "~/domain/shared/limits";
import { parseListQuery } from "~/domain/shared/list-query.schema";
import { packMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { readReauthentication } from "../../auth/reauthentication.server";
import { ReauthenticationPrompt } from "../../auth/reauthentication-prompt";
import type { RouteHandle } from "../../shared/handle";
import { hrefWith } from "../../shared/href-with";
import { pagerProps } from "../../shared/pager-props";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { requireAdministratorSession } from "../administrator.server";
import { hasDetail, LineDetail, LineOutcome, type LineRow, listLineValues } from "./import-line";
import { ImportProgress } from "./import-progress";

const OUTCOMES = ["create", "update", "unchanged", "error"] as const;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const importId = uuidParam(params.importUuid);
  const { fileName, plan, state } = await context.services.users.getUserImport({ actor, importId });
  const { searchParams } = new URL(request.url);
  const onlyErrors = searchParams.get("show") === "errors";
  const hasProblem = (line: (typeof plan.lines)[number]) => line.outcome === "error" || Boolean(line.refused);
  const listedLines = onlyErrors ? plan.lines.filter(hasProblem) : plan.lines;
  const lastPage = Math.max(1, Math.ceil(listedLines.length / PAGE_SIZE));
  const page = Math.min(parseListQuery(searchParams).page, lastPage);
  const lines = listedLines.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const countLines = (outcome: (typeof OUTCOMES)[number]) =>
    plan.lines.filter((line) => line.outcome === outcome).length;
  // `refused` is absent until a line is processed, null if it was written, and otherwise the reason why it was not.
  const countWritten = (outcome: "create" | "update") =>
    plan.lines.filter((line) => line.outcome === outcome && line.refused === null).length;
  const pendingLines = plan.lines.filter(
    ({ outcome, refused }) => (outcome === "create" || outcome === "update") && refused === undefined,
  );
  const titleKey = state === "waiting" ? "users:csv.checkTitle" : "users:csv.doneTitle";
  return {
    title: pageTitle(context, titleKey, { file: fileName }),
    fileName,
    encoding: plan.encoding,
    state,
    toWrite: pendingLines.length,
    onlyErrors,
    counts: OUTCOMES.map((outcome) => ({ outcome, count: countLines(outcome) })),
    result: {
      created: countWritten("create"),
      updated: countWritten("update"),
      refused: plan.lines.filter(hasProblem).length,
    },
    page: { page, total: listedLines.length, count: lines.length },
    lines: lines.map(
      (line): LineRow => ({
        line: line.line,
        email: line.email,
        outcome: line.outcome,
        values: listLineValues(line),
        problems: line.problems.map(({ column, message }) => ({
          column,
          problem: packMessage(context.translateMessage(message)),
        })),
        rejection: line.refused ? packMessage(context.translateMessage(line.refused)) : null,
        isWritten: line.refused === null,
      }),
    ),
  };
}

export async function action({ params, context }: ActionFunctionArgs) {
  const session = await requireAdministratorSession(context);
  const importId = uuidParam(params.importUuid);
  const form = await context.form.read();
  const { actor, prompt: retryPrompt, promptFor } = await readReauthentication(form, context, session);
  if (retryPrompt) return data({ prompt: retryPrompt }, { status: 400 });
  const importRun = context.services.users.applyImport({ actor, importId });
  const result = await context.attempt(importRun);
  if (!result.ok) {
    const prompt = await promptFor(result.failure);
    if (prompt) return data({ prompt }, { status: result.failure.status });
    // Any other failure is thrown, so that the error boundary shows it.
    await importRun;
  }
  throw redirect(`/user-list/import/${importId}`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "auth", "shared-owners", "users"],
  topBar: (_data, t: Translate) => ({ title: t("users:people.usersTitle") }),
};

export default function ImportCheck() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const [searchParams] = useSearchParams();
  const { prompt } = useActionResult<typeof action>() ?? {};
  const busy = useNavigation().formMethod === "POST";
  const { state, counts, onlyErrors, fileName, toWrite } = page;
  const countOf = (outcome: string) => counts.find((entry) => entry.outcome === outcome)?.count ?? 0;
  const rejectedCount = state !== "waiting" ? page.result.refused : countOf("error");
  return (
    <Container as="main" id="main" className="grid gap-6 py-8">
      <PageHeader
        title={t(state === "waiting" ? "users:csv.checkTitle" : "users:csv.doneTitle", { file: fileName })}
        breadcrumbs={[
          { label: t("users:people.usersTitle"), href: "/user-list" },
          { label: t("users:csv.importTitle"), href: "/user-list/import" },
        ]}
        description={t("users:csv.encoding", { encoding: t(`users:csv.encodings.${page.encoding}`) })}
      />
      <ImportProgress state={state} pendingCount={toWrite} result={page.result} counts={counts} />
      {prompt && <ReauthenticationPrompt form="import" reauthentication={prompt} />}
      {state === "done" && (
        <ButtonRow>
          <LinkButton href="/user-list" variant="primary">
            {t("users:csv.toList")}
          </LinkButton>
        </ButtonRow>
      )}
      {state === "running" && (
        <ButtonRow>
          <LinkButton href={`?${searchParams}`} keepScroll>
            {t("users:csv.reload")}
          </LinkButton>
        </ButtonRow>
      )}
      {state === "interrupted" && (
        <Form method="post" id="import">
          <Button type="submit" variant="primary" pending={busy}>
            {t("users:csv.resume")}
          </Button>
        </Form>
      )}
      {state === "waiting" && (
        <Form method="post" id="import" className="grid gap-2">
          <ButtonRow>
            {toWrite > 0 && (
              <Button type="submit" variant="primary" pending={busy}>
                {t("users:csv.confirm", { count: toWrite })}
              </Button>
            )}
            <LinkButton href="/user-list/import" variant="quiet">
              {t("users:csv.again")}
            </LinkButton>
          </ButtonRow>
          <p className="text-xs text-muted">
            {toWrite > 0 ? t("users:csv.confirmHint") : t("users:csv.nothing")}
          </p>
        </Form>
      )}
      <div>
        {(rejectedCount > 0 || onlyErrors) && (
          <Anchor
            href={hrefWith(searchParams, "show", onlyErrors ? null : "errors")}
            keepScroll
            className="inline-flex min-h-10 items-center text-sm underline"
          >
            {onlyErrors ? t("users:csv.allLines") : t("users:csv.onlyErrors")}
          </Anchor>
        )}
        <Table
          caption={t("users:csv.summary")}
          rows={page.lines}
          rowKey={(line) => String(line.line)}
          columns={[
            { key: "line", header: t("users:csv.line"), cell: (line) => line.line },
            {
              key: "email",
              header: t("users:people.colEmail"),
              cell: (line) => <span className="wrap-anywhere">{line.email || "–"}</span>,
            },
            {
              key: "outcome",
              header: t("users:csv.colOutcome"),
              className: "whitespace-nowrap",
              cell: (line) => <LineOutcome line={line} />,
            },
            {
              key: "detail",
              header: t("users:csv.colDetail"),
              className: "w-1/2",
              cell: (line) => hasDetail(line) && <LineDetail line={line} />,
            },
          ]}
        />
        <Pager {...pagerProps(page.page, searchParams)} />
      </div>
    </Container>
  );
}
