import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import {
  Outlet,
  type ShouldRevalidateFunction,
  useLoaderData,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { Container } from "~/components/container";
import { TopBar } from "~/components/menus/top-bar";
import { StatusButton } from "~/components/status/status";
import { VersionText } from "~/components/version-text";
import { startPage } from "~/domain/auth/session";
import { UploadTrayLoader } from "~/features/library/uploads/upload-tray-loader";
import { UploadUserContext } from "~/features/library/uploads/upload-user";
import { formatName } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import { FailurePage } from "./failure-page";
import type { RouteHandle, TopBarContent } from "./handle";
import { hrefWith } from "./href-with";
import { isUnreachable, OfflinePage } from "./offline-page";
import { OPEN_SHORTCUTS, ShortcutSheet } from "./shortcut-sheet";
import { useToastFromUrl } from "./toast-from-url";
import { openToastNames } from "./toast-names.server";
import { isUnsent, UnsentFormNotice } from "./unsent-form";
import { useRejectDrops } from "./use-reject-drops";
import { waitForRouteDiscovery } from "./wait-for-route-discovery";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const session = await context.session.current();
  const user = session && {
    id: session.user.id,
    name: formatName(session.user),
    detail: session.user.companyName || session.user.email,
    role: session.user.role,
  };
  const named = new URL(request.url).searchParams.get("named");
  return {
    user,
    version: await context.site.versionText(),
    /** Names of the records that the URL's toast is about, in one text; null if there are none. */
    named: user && openToastNames(context, user.id, named),
  };
}

/**
 * A change of only the query does not load the shell's data again, unless it sets the language. Otherwise only `named` depends on the query, and that
 * comes from a redirect after a form.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  formMethod,
  currentUrl,
  nextUrl,
  ...change
}) => {
  if (isUnsent(change)) return false;
  const isSamePage =
    currentUrl.pathname === nextUrl.pathname &&
    currentUrl.search !== nextUrl.search &&
    !nextUrl.searchParams.has("lang");
  return isSamePage && (!formMethod || formMethod === "GET") ? false : change.defaultShouldRevalidate;
};

export const handle: RouteHandle = { i18n: ["shared-owners"] };

/** Layout of the pages for users who are logged in: the top bar (specification §2), the toast, and the version outside of production. */
export default function Shell() {
  useLoaderData<typeof loader>();
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  const shell = useRouteLoaderData<typeof loader>("routes/shared/shell");
  const error = useRouteError();
  if (isUnreachable(error))
    return (
      <Frame isErrorPage>
        <OfflinePage />
      </Frame>
    );
  return (
    <Frame isErrorPage>
      <FailurePage isBelowTopBar={Boolean(shell?.user)} />
    </Frame>
  );
}

function Frame({
  children,
  isErrorPage = false,
}: {
  readonly children: ReactNode;
  readonly isErrorPage?: boolean;
}) {
  const shell = useRouteLoaderData<typeof loader>("routes/shared/shell");
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  const toast = useToastFromUrl(shell?.named);
  useRejectDrops();
  const { bar, stage } = useScreen();
  useEffect(() => waitForRouteDiscovery(isErrorPage ? null : pathname), [pathname, isErrorPage]);
  const user = shell?.user;
  const screenLink = (
    href: string,
    label: string,
    icon: "users" | "chart" | "cube" | "library" | "settings",
  ) => ({
    href,
    label,
    icon,
    current: pathname === href || pathname.startsWith(`${href}/`),
  });
  const screens = [
    ...(user?.role === "admin" ? [screenLink("/user-list", t("shared-owners:shell.userList"), "users")] : []),
    screenLink("/space-list", t("shared-owners:shell.spaceList"), "cube"),
    screenLink("/library", t("shared-owners:shell.library"), "library"),
    screenLink("/account/report", t("shared-owners:reportTitle"), "chart"),
  ];
  return (
    <>
      {user && (
        <TopBar
          brandHref={startPage(user.role)}
          tone={pathname.startsWith("/event/") ? "white" : "grey"}
          title={bar.title}
          status={
            bar.status && (
              // The page stays where it is, so that closing the dialog leads back to it.
              <StatusButton
                {...bar.status}
                href={hrefWith(new URLSearchParams(search), "dialog", "status")}
              />
            )
          }
          // Over a stage, the bar contains only the editor's title and status, and the account menu, which links to the other screens.
          screens={stage ? [] : screens}
          lang={language}
          url={pathname + search}
          user={{
            name: user.name,
            detail: user.detail,
            logoutAction: "/logout",
            onShortcuts: () => document.dispatchEvent(new Event(OPEN_SHORTCUTS)),
            items: [
              ...screens,
              {
                ...screenLink("/account", t("shared-owners:shell.account"), "settings"),
                current: pathname.startsWith("/account") && pathname !== "/account/report",
              },
            ],
          }}
        />
      )}
      {/* After the sheet is closed, Tab continues with the page's content. */}
      {user && <ShortcutSheet />}
      <UploadUserContext.Provider value={user?.id ?? null}>{children}</UploadUserContext.Provider>
      {toast}
      <UnsentFormNotice />
      {user && <UploadTrayLoader userId={user.id} />}
      {!stage && (
        <footer>
          <Container className="pb-6">
            <VersionText version={shell?.version || null} />
          </Container>
        </footer>
      )}
    </>
  );
}

/** Top bar content and stage flag of the deepest route, if it has them. */
function useScreen(): { bar: TopBarContent; stage: boolean } {
  const { t } = useTranslation();
  const deepestMatch = useMatches().at(-1);
  const handle = deepestMatch?.handle as RouteHandle | undefined;
  return {
    bar: (deepestMatch?.data && handle?.topBar?.(deepestMatch.data, t)) || {},
    stage: handle?.stage === true,
  };
}
