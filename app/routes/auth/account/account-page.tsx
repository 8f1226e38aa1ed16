import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { useTranslation } from "~/i18n/translation";

const ACCOUNT_PAGES = [
  { href: "/account", title: "account:profile.title" },
  { href: "/account/security", title: "account:security.title", also: "/account/second-factor" },
  { href: "/account/tokens", title: "webhooks:tokens.title" },
  { href: "/account/webhooks", title: "webhooks:title" },
  { href: "/account/data", title: "account:data.title" },
] as const;

/** Whether a path belongs to a page of the settings: its own path, a path below it (except for `/account`), or the path in `also`. */
const isCurrent = (page: (typeof ACCOUNT_PAGES)[number], pathname: string) => {
  const path = pathname.replace(/\/$/, "");
  if (path === page.href || ("also" in page && path === page.also)) return true;
  return page.href !== "/account" && path.startsWith(`${page.href}/`);
};

/** Layout of the account settings, with the navigation between their pages. */
export function AccountPage({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <Container as="main" id="main" width="form">
      <PageHeader title={t("account:title")} />
      <nav aria-label={t("account:nav")} className="mt-4 border-b border-line">
        <ul className="-mb-px flex flex-wrap gap-x-6">
          {ACCOUNT_PAGES.map((page) => (
            <li key={page.href}>
              <Anchor
                href={page.href}
                aria-current={isCurrent(page, pathname) ? "page" : undefined}
                className="inline-flex min-h-10 items-center border-b-2 border-transparent text-sm text-muted no-underline hover:border-edge hover:text-ink aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-ink"
              >
                {t(page.title)}
              </Anchor>
            </li>
          ))}
        </ul>
      </nav>
      <div id="panel" tabIndex={-1} className="mt-8 grid gap-12">
        {children}
      </div>
    </Container>
  );
}

export interface AccountSectionProps {
  readonly id: string;
  readonly title: string;
  readonly lead?: ReactNode;
  /** Controls beside the title. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** Section of an account page, labelled by its heading. */
export function AccountSection({ id, title, lead, action, children }: AccountSectionProps) {
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {lead && <div className="mt-1 text-sm text-muted wrap-anywhere text-phrase">{lead}</div>}
        </div>
        {action && <div className="shrink-0">{action}</div>}
      </div>
      {children}
    </section>
  );
}

/** Link that opens one of the page's dialogs. */
export function DialogLink({ dialog, children }: { readonly dialog: string; readonly children: string }) {
  return (
    <LinkButton href={`?dialog=${dialog}`} keepScroll>
      {children}
    </LinkButton>
  );
}
