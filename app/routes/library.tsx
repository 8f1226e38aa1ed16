import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Container } from "~/components/container";
import { Icon } from "~/components/icon";
import { PageHeader } from "~/components/page-header";
import { Pager } from "~/components/pager";
import { EmptyState } from "~/components/states";
import { storageLeft } from "~/domain/limits";
import { parseListQuery, readListSearch } from "~/domain/page.schema";
import { can } from "~/domain/permissions";
import { formatBytes, formatName } from "~/i18n/format";
import type { Translate } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";
import type { RouteHandle } from "./shared/handle";
import { requireUuid } from "./shared/ids";
import { keepWithinPages } from "./shared/keep-within-pages.server";
import { pagerProps } from "./shared/paging";
import { SearchForm } from "./shared/search-form";
import { namedTitle, pageTitle } from "./shared/title";
import { Uploader } from "./uploads/uploader";
import { MEDIA_ICONS } from "./visit/media-icons";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.requireSession();
  const { searchParams } = new URL(request.url);
  const { q, page } = parseListQuery(searchParams);
  const library = await context.services.library.listLibrary({
    actor,
    ownerId: requireUuid(params.userUuid),
    folderId: requireUuid(params.folderUuid),
    q: q ?? "",
    page,
  });
  keepWithinPages(library.items, request);
  const ownerName = library.owner.id === actor.userId ? null : formatName(library.owner);
  const folder = library.folder?.parentId ? library.folder : null;
  return {
    title: folder
      ? namedTitle(context, folder.name)
      : ownerName
        ? pageTitle(context, "library.titleOf", { name: ownerName })
        : pageTitle(context, "library.title"),
    ownerName,
    upload: {
      folderId: library.folder?.id ?? null,
      ownerId: library.owner.id === actor.userId ? null : library.owner.id,
      left: storageLeft(library.owner),
    },
    listHref: ownerName ? `/library/${library.owner.id}` : "/library",
    folderName: folder?.name ?? null,
    q: q ?? "",
    search: readListSearch(searchParams),
    page: { page: library.items.page, total: library.items.total, count: library.items.items.length },
    items: library.items.items.map(({ id, kind, title, byteSize, width, height, ownerId, groupId }) => ({
      id,
      isShared: groupId !== null,
      mayShare: can(actor, "changeGroup", { type: "media", ownerId, groupId }),
      kind,
      title,
      size: formatBytes(byteSize),
      width,
      height,
    })),
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = { topBar: (_data, t: Translate) => ({ title: t("library.title") }) };

export default function Library() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const listTitle = page.ownerName ? t("library.titleOf", { name: page.ownerName }) : t("library.title");
  return (
    <Container as="main" id="main" className="grid gap-8 py-8">
      <PageHeader
        title={page.folderName ?? listTitle}
        breadcrumbs={page.folderName === null ? [] : [{ label: listTitle, href: page.listHref }]}
      />
      <Uploader {...page.upload} />
      <SearchForm
        label={t("library.search")}
        submit={t("library.searchSubmit")}
        clear={t("library.clearSearch")}
        {...page.search}
        clearHref="?"
      />
      {page.items.length === 0 ? (
        <EmptyState
          icon={page.q ? "search" : "library"}
          title={page.q ? t("library.noMatchTitle", { q: page.q }) : t("library.emptyTitle")}
        >
          {page.q ? t("library.noMatchText") : t("library.emptyText")}
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-2 gap-x-4 gap-y-8 sm:grid-cols-3 lg:grid-cols-5">
          {page.items.map((item) => (
            <li key={item.id} className="relative grid content-start gap-2">
              <div className="grid aspect-square place-items-center overflow-hidden rounded bg-surface text-faint">
                {item.kind === "image" ? (
                  <img
                    src={`/media/${item.id}`}
                    alt=""
                    loading="lazy"
                    decoding="async"
                    width={item.width ?? undefined}
                    height={item.height ?? undefined}
                    className="size-full object-cover"
                  />
                ) : (
                  <Icon name={MEDIA_ICONS[item.kind]} size={40} />
                )}
              </div>
              <a
                href={`/media/${item.id}`}
                className="text-sm font-semibold underline-offset-4 after:absolute after:inset-0 hover:underline [overflow-wrap:anywhere]"
              >
                {item.title}
              </a>
              <p className="text-xs text-muted tabular-nums">
                {t(`visit.kindName.${item.kind}`)} · {item.size}
                {item.width && item.height
                  ? ` · ${t("library.dimensions", { width: item.width, height: item.height })}`
                  : ""}
              </p>
              {(item.mayShare || item.isShared) && (
                <p className="flex flex-wrap items-center gap-x-3 text-xs">
                  {item.isShared && <span className="text-muted">{t("tree.shared")}</span>}
                  {item.mayShare && (
                    // Above the picture's own link, which covers the whole card.
                    <Anchor
                      href={`/sharing/media/${item.id}`}
                      aria-label={t("library.shareNamed", { title: item.title })}
                      className="relative z-10 inline-flex min-h-10 items-center underline underline-offset-4"
                    >
                      {t("tree.share")}
                    </Anchor>
                  )}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <Pager {...pagerProps(page.page, search)} />
    </Container>
  );
}
