import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Container } from "~/components/container";
import { cx } from "~/components/cx";
import { PageHeader } from "~/components/page-header";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { ChangeGroups } from "./change-groups";
import { parseWholeNumber, readHistoryPage } from "./page.server";
import { RestoreDialog } from "./restore-dialog";
import { RestoreOutcome, rejectedItems } from "./restore-outcome";
import { StateView } from "./state-view";

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { searchParams } = new URL(request.url);
  const page = await readHistoryPage(context, actor, eventId, searchParams);
  return {
    ...page,
    title: pageTitle(context, "events:history.titleOf", { name: page.event.name }),
    timeZone: user.timeZone,
    dialog: searchParams.get("dialog") === "restore" && !page.stateView.isLatest,
  };
}

/** Restores a state. An undo also sends `expected`, the number of the last change that it knows: after a newer change, nothing is restored. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const form = await context.form.read();
  const [seq, expectedSeq] = [parseWholeNumber(form.get("seq")), parseWholeNumber(form.get("expected"))];
  if (seq === null || (expectedSeq === null && form.has("expected")) || form.get("intent") !== "restore")
    throw new Response(null, { status: 400, statusText: "Bad Request" });
  const restoreResult = await context.attempt(
    context.services.history.restoreState({
      actor,
      eventId,
      seq,
      ...(expectedSeq !== null && { expected: expectedSeq }),
    }),
  );
  if (!restoreResult.ok) {
    const { status, kind } = restoreResult.failure;
    if (kind === "conflict")
      return data({ restoredCount: 0, undo: null, rejected: null, isOutdated: true }, { status });
    throw new Response(null, { status, statusText: status === 404 ? "Not Found" : "Forbidden" });
  }
  const { changed, notRestored, from, seq: to } = restoreResult.value;
  const undo = changed > 0 ? { from, to } : null;
  // The rejected items do not fit into the URL of a redirect, so the response lists them. Submitting the form again is harmless: the state is
  // restored already.
  if (notRestored.length > 0)
    return data({ restoredCount: changed, undo, rejected: rejectedItems(notRestored, context.lang) });
  const resultParams = new URLSearchParams({
    restored: String(changed),
    ...(form.has("expected") && { undone: "1" }),
  });
  if (undo) {
    resultParams.set("from", String(from));
    resultParams.set("to", String(to));
  }
  throw redirect(`${new URL(request.url).pathname}?${resultParams}`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["events", "shared-owners", "visitors"],
  topBar: (_data, t: Translate) => ({ title: t("events:history.title") }),
};

export default function EventHistory() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const outcome = result ?? page.outcome;
  const { event, stateView } = page;
  return (
    <Container as="main" id="main" className="grid gap-6">
      <PageHeader
        title={t("events:history.title")}
        breadcrumbs={[
          { label: event.space.name, href: `/space/${event.space.id}` },
          { label: event.name, href: `/event/${event.id}` },
        ]}
        description={t("events:history.description")}
      />
      {outcome && <RestoreOutcome {...outcome} latestSeq={page.latest} />}
      <div className="grid items-start gap-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
        {/* On narrow screens the selected state comes before the list. */}
        <ChangeGroups page={page} className={cx(page.isChosen && "max-lg:order-last")} />
        <StateView stateView={stateView} page={page} />
      </div>
      {page.dialog && !result && (
        <RestoreDialog
          seq={stateView.seq}
          closeHref={`?${page.query}`}
          isPublished={stateView.isPublishedNow}
        />
      )}
    </Container>
  );
}
