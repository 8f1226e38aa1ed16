import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { DateTime } from "~/components/date-time";
import { Dialog } from "~/components/dialog";
import { PageHeader } from "~/components/page-header";
import { Pager } from "~/components/pager";
import { EmptyState } from "~/components/states";
import { StatusBadge } from "~/components/status";
import { Table } from "~/components/table";
import { createEventCreateSchema } from "~/domain/event-create.schema";
import { parseListQuery } from "~/domain/page.schema";
import { spaceListPath } from "~/domain/space-list-path";
import { EventCreateForm } from "~/forms/event-create-form";
import { refuse } from "~/forms/result";
import type { Translate } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";
import type { RouteHandle } from "./shared/handle";
import { uuidParam } from "./shared/ids";
import { keepWithinPages } from "./shared/keep-within-pages.server";
import { hrefWith, pagerProps } from "./shared/paging";
import { namedTitle } from "./shared/title";
import { SpaceFacts } from "./space/facts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.requireSession();
  const spaceId = uuidParam(params.spaceUuid);
  const { page } = parseListQuery(new URL(request.url).searchParams);
  const [{ space, events }, sharing] = await Promise.all([
    context.services.events.listEvents({ actor, spaceId, page }),
    context.services.groups.getSharing({ actor, kind: "space", id: spaceId }),
  ]);
  keepWithinPages(events, request);
  return {
    title: namedTitle(context, space.name),
    timeZone: user.timeZone,
    listHref: spaceListPath(actor, space.ownerId),
    sharing: {
      href: sharing.mayChange ? `/sharing/space/${spaceId}` : null,
      group: sharing.groups.find(({ id }) => id === sharing.groupId)?.name ?? null,
      shared: sharing.groupId !== null,
    },
    space: {
      name: space.name,
      sid: space.sid,
      kind: space.source.kind,
      picture: space.posterMediaId && `/media/${space.posterMediaId}`,
      eventCount: space.eventCount,
      createdAt: space.createdAt,
      updatedAt: space.updatedAt,
    },
    page: { page: events.page, total: events.total, count: events.items.length },
    events: events.items.map((event) => ({
      id: event.id,
      name: event.eventName,
      statusId: event.currentStatus,
      startDate: event.startDate,
      endDate: event.endDate,
      updatedAt: event.updatedAt,
    })),
  };
}

export async function action({ params, context }: ActionFunctionArgs) {
  const { actor } = await context.requireSession();
  const spaceId = uuidParam(params.spaceUuid);
  const submission = parseWithZod(await context.readForm(), { schema: createEventCreateSchema() });
  if (submission.status !== "success") {
    // A space that is not there has no form to mend.
    await context.services.spaces.getSpace({ actor, spaceId });
    return data(submission.reply(), { status: 400 });
  }
  const { eventName } = submission.value;
  const result = await context.attempt(context.services.events.createEvent({ actor, spaceId, eventName }));
  if (!result.ok) {
    if (result.failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    return data(refuse(submission, result.failure), { status: result.failure.status });
  }
  throw redirect(`/event/${result.value.id}?toast=event-created`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = { topBar: (_data, t: Translate) => ({ title: t("shell.spaceDetail") }) };

export default function SpaceDetail() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  const [search] = useSearchParams();
  const { space, events, timeZone } = page;
  const closeHref = hrefWith(search, "dialog", null);
  return (
    <Container as="main" id="main" className="grid gap-8 py-8">
      <PageHeader
        title={space.name}
        breadcrumbs={[{ label: t("spaces.title"), href: page.listHref }]}
        action={
          <LinkButton variant="primary" icon="plus" href={hrefWith(search, "dialog", "new")} keepScroll>
            {t("spaces.detail.createEvent")}
          </LinkButton>
        }
      />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <section aria-label={t("spaces.detail.events")} className="grid min-w-0 content-start gap-4">
          <Table
            caption={t("spaces.detail.eventsCaption", { name: space.name })}
            columns={[
              {
                key: "name",
                header: t("spaces.detail.colName"),
                cell: (event) => (
                  <Anchor
                    href={`/event/${event.id}`}
                    className="font-semibold underline-offset-4 hover:underline"
                  >
                    {event.name}
                  </Anchor>
                ),
              },
              {
                key: "status",
                header: t("spaces.detail.colStatus"),
                cell: (event) => <StatusBadge statusId={event.statusId} />,
              },
              {
                key: "period",
                header: t("spaces.detail.colPeriod"),
                cell: (event) => <Period {...event} timeZone={timeZone} />,
              },
              {
                key: "updated",
                header: t("spaces.detail.colUpdated"),
                cell: (event) => <DateTime instant={event.updatedAt} timeZone={timeZone} />,
              },
            ]}
            rows={events}
            rowKey={(event) => event.id}
            empty={
              <EmptyState title={t("spaces.detail.emptyTitle")}>{t("spaces.detail.emptyText")}</EmptyState>
            }
          />
          <Pager {...pagerProps(page.page, search)} />
        </section>
        <SpaceFacts space={space} sharing={page.sharing} timeZone={timeZone} />
      </div>
      {(search.get("dialog") === "new" || lastResult) && (
        <Dialog title={t("spaces.detail.createEvent")} closeHref={closeHref}>
          <EventCreateForm lastResult={lastResult} cancelHref={closeHref} />
        </Dialog>
      )}
    </Container>
  );
}

interface PeriodProps {
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly timeZone: string;
}

function Period({ startDate, endDate, timeZone }: PeriodProps) {
  const { t } = useTranslation();
  if (!startDate && !endDate) return <span className="text-muted">{t("spaces.detail.always")}</span>;
  return (
    <span className="grid text-sm">
      <span>
        {startDate ? <DateTime instant={startDate} timeZone={timeZone} /> : t("spaces.detail.noStart")} –
      </span>
      <span>{endDate ? <DateTime instant={endDate} timeZone={timeZone} /> : t("spaces.detail.noEnd")}</span>
    </span>
  );
}
