import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { cx } from "~/components/classes";
import { Container } from "~/components/container";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import type { Translate } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";
import type { RouteHandle } from "../shared/handle";
import { uuidParam } from "../shared/ids";
import { pageTitle } from "../shared/title";
import { Look } from "./history/look";
import { Moments } from "./history/moments";
import { readHistoryPage, seqOf } from "./history/page.server";
import { RestoreDialog } from "./history/restore-dialog";

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.requireSession();
  const eventId = uuidParam(params.uuid);
  const { searchParams } = new URL(request.url);
  const page = await readHistoryPage(context, actor, eventId, searchParams);
  return {
    ...page,
    title: pageTitle(context, "history.titleOf", { name: page.event.name }),
    timeZone: user.timeZone,
    dialog: searchParams.get("dialog") === "restore" && !page.look.isLatest,
  };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const { actor } = await context.requireSession();
  const eventId = uuidParam(params.uuid);
  const form = await context.readForm();
  const seq = seqOf(form.get("seq"));
  if (seq === null || form.get("intent") !== "restore")
    throw new Response(null, { status: 400, statusText: "Bad Request" });
  const restored = await context.attempt(context.services.history.restoreState({ actor, eventId, seq }));
  if (!restored.ok) {
    const { status } = restored.failure;
    throw new Response(null, { status, statusText: status === 404 ? "Not Found" : "Forbidden" });
  }
  const { changed, refused } = restored.value;
  const { pathname } = new URL(request.url);
  throw redirect(`${pathname}?restored=${changed}${refused.length > 0 ? `&refused=${refused.length}` : ""}`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = { topBar: (_data, t: Translate) => ({ title: t("history.title") }) };

export default function EventHistory() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const { event, look, outcome } = page;
  return (
    <Container as="main" id="main" className="grid gap-6">
      <PageHeader
        title={t("history.title")}
        breadcrumbs={[
          { label: event.space.name, href: `/space/${event.space.id}` },
          { label: event.name, href: `/event/${event.id}` },
        ]}
        description={t("history.description")}
      />
      {outcome && (
        <Notice tone={outcome.refused > 0 ? "warning" : "success"} live>
          <p>
            {t(outcome.restored > 0 || outcome.refused > 0 ? "history.restored" : "history.restoredNothing")}
          </p>
          {outcome.refused > 0 && <p>{t("history.refused", { count: outcome.refused })}</p>}
        </Notice>
      )}
      <div className="grid items-start gap-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
        {/* On a phone what was chosen comes first, and what there is to choose after it. */}
        <Moments page={page} className={cx(page.isChosen && "max-lg:order-last")} />
        <Look look={look} page={page} />
      </div>
      {page.dialog && <RestoreDialog seq={look.seq} closeHref={`?${page.query}`} />}
    </Container>
  );
}
