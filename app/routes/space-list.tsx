import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { LinkButton } from "~/components/button";
import { Card, CardGrid } from "~/components/card";
import { Container } from "~/components/container";
import { useDateWords } from "~/components/date-time";
import { Dialog } from "~/components/dialog";
import { PageHeader } from "~/components/page-header";
import { Pager } from "~/components/pager";
import { EmptyState } from "~/components/states";
import { parseListQuery, readListSearch } from "~/domain/page.schema";
import { createSpaceSchema } from "~/domain/space.schema";
import { spaceListPath } from "~/domain/space-list-path";
import { toLocalInput } from "~/domain/time-zone";
import { refuse } from "~/forms/result";
import { SpaceForm } from "~/forms/space-form";
import { formatName } from "~/i18n/format";
import { useTranslation } from "~/i18n/use-translation";
import { requireUuid } from "./shared/ids";
import { keepWithinPages } from "./shared/keep-within-pages.server";
import { hrefWith, pagerProps } from "./shared/paging";
import { SearchForm } from "./shared/search-form";
import { namedTitle, pageTitle } from "./shared/title";

const place = (params: LoaderFunctionArgs["params"]) => ({
  ownerId: requireUuid(params.userUuid),
  folderId: requireUuid(params.folderUuid),
});

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.requireSession();
  const { searchParams } = new URL(request.url);
  const { q, page } = parseListQuery(searchParams);
  const list = await context.services.spaces.listSpaces({ actor, ...place(params), q: q ?? "", page });
  keepWithinPages(list.spaces, request);
  const ownerName = list.owner.id === actor.userId ? null : formatName(list.owner);
  const folder = list.folder?.parentId ? list.folder : null;
  return {
    title: folder
      ? namedTitle(context, folder.name)
      : ownerName
        ? pageTitle(context, "spaces.titleOf", { name: ownerName })
        : pageTitle(context, "spaces.title"),
    ownerName,
    listHref: spaceListPath(actor, list.owner.id),
    license: { used: list.owner.spaceCount, limit: list.owner.spaceLicense },
    timeZone: user.timeZone,
    q: q ?? "",
    search: readListSearch(searchParams),
    folderId: list.folder?.id ?? null,
    folderName: folder?.name ?? null,
    page: { page: list.spaces.page, total: list.spaces.total, count: list.spaces.items.length },
    spaces: list.spaces.items.map((space) => ({
      id: space.id,
      name: space.name,
      kind: space.source.kind,
      picture: space.posterMediaId && `/media/${space.posterMediaId}`,
      eventCount: space.eventCount,
      updatedAt: space.updatedAt,
    })),
  };
}

export async function action({ params, context }: ActionFunctionArgs) {
  const { actor } = await context.requireSession();
  const form = await context.readForm();
  const submission = parseWithZod(form, { schema: createSpaceSchema() });
  const { ownerId, folderId } = place(params);
  if (submission.status !== "success") {
    // A list that is not there has no form to mend.
    await context.services.spaces.listSpaces({ actor, ownerId, folderId });
    return data(submission.reply(), { status: 400 });
  }
  const result = await context.attempt(
    context.services.spaces.createSpaceFromShowcase({
      actor,
      ownerId,
      folderId: folderId ?? submission.value.folderId ?? undefined,
      name: submission.value.name,
      showcase: submission.value.showcase.sid,
    }),
  );
  if (!result.ok) return data(refuse(submission, result.failure), { status: result.failure.status });
  throw redirect(`/space/${result.value.space.id}?toast=space-created`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export default function SpaceList() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
  const words = useDateWords();
  const [search] = useSearchParams();
  const { license, spaces, q } = page;
  const newHref = hrefWith(search, "dialog", "new");
  const closeHref = hrefWith(search, "dialog", null);
  const listTitle = page.ownerName ? t("spaces.titleOf", { name: page.ownerName }) : t("spaces.title");
  return (
    <Container as="main" id="main" className="grid gap-8 py-8">
      <PageHeader
        title={page.folderName ?? listTitle}
        breadcrumbs={page.folderName === null ? [] : [{ label: listTitle, href: page.listHref }]}
        description={<span className="tabular-nums">{t("spaces.license", license)}</span>}
        action={
          <LinkButton variant="primary" icon="plus" href={newHref} keepScroll>
            {t("spaces.create")}
          </LinkButton>
        }
      />
      <SearchForm
        label={t("spaces.search")}
        submit={t("spaces.searchSubmit")}
        clear={t("spaces.clearSearch")}
        {...page.search}
        clearHref="?"
      />
      {spaces.length === 0 ? (
        <EmptyState
          icon={q ? "search" : "cube"}
          title={q ? t("spaces.noMatchTitle", { q }) : t("spaces.emptyTitle")}
          action={!q && <LinkButton href={newHref}>{t("spaces.create")}</LinkButton>}
        >
          {q ? t("spaces.noMatchText") : t("spaces.emptyText")}
        </EmptyState>
      ) : (
        <CardGrid>
          {spaces.map((space) => (
            <li key={space.id}>
              <Card
                title={space.name}
                href={`/space/${space.id}`}
                picture={space.picture ? { src: space.picture, width: 1600, height: 900 } : null}
                meta={
                  <span className="flex flex-wrap gap-x-3">
                    <span>{t(`spaces.kind.${space.kind}`)}</span>
                    <span className="tabular-nums">{t("spaces.events", { count: space.eventCount })}</span>
                    <span>
                      {t("spaces.updated", {
                        date: words(toLocalInput(space.updatedAt, page.timeZone), { time: false }),
                      })}
                    </span>
                  </span>
                }
              />
            </li>
          ))}
        </CardGrid>
      )}
      <Pager {...pagerProps(page.page, search)} />
      {(search.get("dialog") === "new" || lastResult) && (
        <Dialog title={t("spaces.createTitle")} closeHref={closeHref}>
          <SpaceForm lastResult={lastResult} folderId={page.folderId} cancelHref={closeHref} />
        </Dialog>
      )}
    </Container>
  );
}
