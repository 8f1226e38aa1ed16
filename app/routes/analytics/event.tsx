import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Dialog } from "~/components/dialog";
import { textIn } from "~/domain/shared/localized";
import { can } from "~/domain/shared/permissions";
import { ConfirmForm } from "~/forms/shared/confirm-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { uuidParam } from "../shared/uuid-param";
import { readMapBackground } from "./charts/map-background.server";
import { readComparableEvents } from "./comparable-events.server";
import { Compare } from "./compare";
import { readReport } from "./read-report.server";
import { ReportPage } from "./report-page";
import { parseReportQuery, reportQuery } from "./report-url";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const query = parseReportQuery(new URL(request.url).searchParams);
  const { event, space } = await context.services.events.getEvent({ actor, eventId });
  const readBackground = () => readMapBackground(context, actor, eventId);
  const [report, comparableEvents] = await Promise.all([
    readReport({ context, actor, scope: { kind: "event", id: eventId }, query, readBackground }),
    readComparableEvents(context, actor, { eventId, space }, query.find),
  ]);
  return {
    title: pageTitle(context, "analytics:titleOf", { name: textIn(event.eventName, context.lang) }),
    space: { id: space.id, name: space.name },
    mayDelete: can(actor, "delete", { type: "event", ownerId: space.ownerId, groupId: space.groupId }),
    report,
    comparableEvents,
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const form = await context.form.read();
  if (form.get("intent") !== "delete-visits")
    throw new Response(null, { status: 400, statusText: "Bad Request" });
  const result = await context.attempt(context.services.visits.deleteVisits({ actor, eventId }));
  if (!result.ok) {
    const { status } = result.failure;
    throw new Response(null, { status, statusText: status === 404 ? "Not Found" : "Forbidden" });
  }
  const currentQuery = reportQuery(parseReportQuery(new URL(request.url).searchParams));
  throw redirect(`/event/${eventId}/report?${currentQuery}&toast=visits-deleted`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["analytics", "shared-owners"],
  topBar: (_data, t: Translate) => ({ title: t("shared-owners:reportTitle") }),
};

export default function EventReport() {
  const { t } = useTranslation();
  const { report, space, comparableEvents, mayDelete } = useLoaderData<typeof loader>();
  const [searchParams] = useSearchParams();
  const closeHref = `?${reportQuery(report.query)}`;
  return (
    <ReportPage
      report={report}
      breadcrumbs={[
        { label: space.name, href: `/space/${space.id}` },
        { label: report.scope.name, href: `/event/${report.scope.id}` },
      ]}
      deleteHref={mayDelete ? `${closeHref}&dialog=delete` : null}
      compare={<Compare report={report} choices={comparableEvents} />}
    >
      {searchParams.get("dialog") === "delete" && mayDelete && (
        <Dialog title={t("analytics:delete.title")} closeHref={closeHref} size="small">
          <ConfirmForm
            id="delete-visits"
            intent="delete-visits"
            requiresPassword={false}
            email=""
            submit={t("analytics:delete.submit")}
            cancelHref={closeHref}
          >
            {t("analytics:delete.text", { name: report.scope.name })}
          </ConfirmForm>
        </Dialog>
      )}
    </ReportPage>
  );
}
