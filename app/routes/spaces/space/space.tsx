import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { Pager } from "~/components/pager";
import { createEventCreateSchema } from "~/domain/events/event-create.schema";
import { newText, singleText } from "~/domain/events/event-texts";
import { treeListParams } from "~/domain/folders/tree-list.schema";
import { parseListQuery } from "~/domain/shared/list-query.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { createLatePart } from "~/i18n/late-part";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { itemTreeAction, readItemDialog, toItemCrumbs } from "../../folders/dialogs/item-page.server";
import { TreeDialogs } from "../../folders/dialogs/tree-dialogs";
import { TreeResults } from "../../folders/results";
import { SameNameNotice } from "../../folders/same-names";
import { readSameNames } from "../../folders/same-names.server";
import type { RouteHandle } from "../../shared/handle";
import { hrefWith } from "../../shared/href-with";
import { keepWithinPages } from "../../shared/keep-within.server";
import { pagerProps } from "../../shared/pager-props";
import { namedTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { DeletedEvents, EventProblem } from "./deleted-events";
import { readDeletedEvents } from "./deleted-events.server";
import { eventAction, readCopied, readEventDialog } from "./event-actions.server";
import { EventCopied } from "./event-copied";
import { EventList } from "./event-list";
import { readEmptyEvent, readSharing, templateNames, toListedEvent, toSpacePage } from "./read.server";
import { SpaceHeader } from "./space-header";

const EventCreateDialog = createLatePart(() => import("./event-create-dialog"));
const EventDialogs = createLatePart(async () => ({
  default: (await import("./event-dialogs")).EventDialogs,
}));

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const spaceId = uuidParam(params.spaceUuid);
  const { searchParams } = new URL(request.url);
  const { page } = parseListQuery(searchParams);
  const { tree, events: eventServices } = context.services;
  const [{ space, events }, path, deleted, sharing] = await Promise.all([
    eventServices.listEvents({ actor, spaceId, page }),
    context.attempt(tree.getSpacePath({ actor, spaceId })),
    readDeletedEvents({ context, actor, spaceId }),
    readSharing({ context, actor, space: { id: spaceId } }),
  ]);
  // Redirects from a page after the last one.
  keepWithinPages(events, request);
  const itemContext = { context, actor, folderType: "space", item: space } as const;
  const spaceContext = { context, actor, space };
  const [sameNames, dialog, eventDialog, copied, emptyEvent] = await Promise.all([
    readSameNames(context, actor, "space", searchParams),
    readItemDialog(itemContext, searchParams.get("dialog")),
    readEventDialog(spaceContext, searchParams),
    readCopied(spaceContext, searchParams),
    searchParams.get("dialog") === "new" ? readEmptyEvent(spaceContext, events) : null,
  ]);
  return {
    title: namedTitle(context, space.name),
    timeZone: user.timeZone,
    crumbs: toItemCrumbs(itemContext, path),
    sharing,
    sameNames,
    dialog,
    eventDialog,
    deleted,
    copied,
    emptyEvent,
    space: toSpacePage(actor, space),
    templateNames: templateNames(context.lang),
    page: { page: events.page, total: events.total, count: events.items.length },
    events: events.items.map((event) => toListedEvent(event, space, context)),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const spaceId = uuidParam(params.spaceUuid);
  const form = await context.form.read();
  // For a space that does not exist, this throws before a form with errors is returned.
  const getSpace = () => context.services.spaces.getSpace({ actor, spaceId });
  if (form.has("intent")) {
    const item = await getSpace();
    const itemContext = { context, actor, folderType: "space", item } as const;
    const response =
      (await eventAction({ context, actor, space: item }, form)) ??
      (await itemTreeAction(itemContext, request, form));
    if (response) return response;
  }
  const submission = parseWithZod(form, { schema: createEventCreateSchema(context.lang) });
  if (submission.status !== "success") {
    await getSpace();
    return data({ action: "new" as const, lastResult: submission.reply() }, { status: 400 });
  }
  const { template: templateName } = submission.value;
  // The form has one field for the name, whatever the language of the name is.
  const eventName = newText(singleText(submission.value.eventName), context.lang);
  const template = templateName ? { name: templateName, lang: context.lang } : undefined;
  const result = await context.attempt(
    context.services.events.beginEvent({ actor, spaceId, eventName, template }),
  );
  if (!result.ok) {
    if (result.failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    const { fields, status } = result.failure;
    const fieldErrors = Object.entries(fields).map(([field, errors]) => [
      field.replace(/^eventName\..*/, `eventName.${context.lang}`),
      errors,
    ]);
    const lastResult = rejectForm(submission, { ...result.failure, fields: Object.fromEntries(fieldErrors) });
    return data({ action: "new" as const, lastResult }, { status });
  }
  const editorQuery = template ? "panel=tags&show=unplaced&toast=event-from-template" : "toast=event-created";
  throw redirect(`/event/${result.value.id}?${editorQuery}`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["events", "folders", "shared-owners", "spaces"],
  topBar: (_data, t: Translate) => ({ title: t("shared-owners:shell.spaceDetail") }),
};

export default function SpaceDetail() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const actionData = useActionResult<typeof action>();
  const lastResult = actionData?.action === "new" ? actionData.lastResult : null;
  const eventOutcome = actionData?.action === "event" ? actionData : null;
  const outcome =
    actionData && actionData.action !== "new" && actionData.action !== "event" ? actionData : null;
  const [searchParams] = useSearchParams();
  const { space, events, timeZone } = page;
  const listParams = treeListParams(searchParams);
  const closeHref = `?${listParams}`;
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-6 py-6">
      <SpaceHeader
        space={space}
        listParams={listParams}
        crumbs={page.crumbs}
        tab="events"
        sharing={page.sharing}
        action={
          <LinkButton variant="primary" icon="plus" href={hrefWith(listParams, "dialog", "new")} keepScroll>
            {t("spaces:detail.createEvent")}
          </LinkButton>
        }
      />
      {page.copied && !page.eventDialog && <EventCopied copy={page.copied} />}
      {outcome ? (
        <TreeResults outcome={outcome} />
      ) : (
        <SameNameNotice items={page.sameNames} folderType="space" timeZone={timeZone} />
      )}
      {!page.eventDialog && <EventProblem outcome={eventOutcome} />}
      <section aria-label={t("spaces:detail.events")} className="grid min-w-0 gap-4">
        <EventList
          name={space.name}
          rows={events}
          timeZone={timeZone}
          listParams={listParams}
          mayDelete={space.mayDeleteEvents}
        />
        <Pager {...pagerProps(page.page, listParams)} />
        <DeletedEvents name={space.name} rows={page.deleted} timeZone={timeZone} />
      </section>
      {(page.eventDialog || eventOutcome) && (
        <EventDialogs dialog={page.eventDialog} outcome={eventOutcome} closeHref={closeHref} />
      )}
      <TreeDialogs
        dialog={page.dialog}
        outcome={outcome}
        closeHref={closeHref}
        rootLabel={t("spaces:title")}
      />
      {(searchParams.get("dialog") === "new" || lastResult) && (
        <EventCreateDialog
          lastResult={lastResult}
          names={page.templateNames}
          emptyEvent={page.emptyEvent}
          cancelHref={closeHref}
        />
      )}
    </Container>
  );
}
