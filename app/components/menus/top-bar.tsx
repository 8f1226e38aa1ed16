import type { ReactNode } from "react";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { Anchor } from "../anchor";
import { Brand } from "../brand";
import { cx } from "../cx";
import { LanguageSwitch } from "./language-switch";
import { MenuDivider } from "./menu";
import { UserMenu, type UserMenuItem, type UserMenuProps } from "./user-menu";

export interface TopBarProps {
  /** Link target of the brand: /user-list or /space-list. */
  readonly brandHref: string;
  /** Grey by default, white on event pages (specification §2). */
  readonly tone?: "grey" | "white";
  /** Name of the page or of the event. */
  readonly title?: string;
  /** Content beside the title: the status button on event pages. */
  readonly status?: ReactNode;
  /** Links to the main screens, which the bar contains from the width of a tablet on. On phones, only the account menu (`user.items`) contains them. */
  readonly screens: readonly UserMenuItem[];
  readonly lang: Lang;
  /** URL of the page, for the language links. */
  readonly url: string;
  readonly user: Omit<UserMenuProps, "children">;
}

/** The top bar for logged-in users: `<TopBar brandHref="/space-list" title=… screens={…} lang=… url=… user={{…}} />`. */
export function TopBar({ brandHref, tone = "grey", title, status, screens, lang, url, user }: TopBarProps) {
  const { t } = useTranslation();
  return (
    <header
      className={cx(
        "sticky top-0 z-30 border-b print:hidden",
        tone === "white" ? "border-line bg-paper" : "border-transparent bg-surface",
      )}
    >
      <div className="mx-auto flex min-h-[calc(var(--spacing)*14-1px)] max-w-content items-center gap-2 px-4 sm:gap-4 sm:px-6 lg:px-8">
        <Brand href={brandHref} compact />
        {title && (
          <>
            <span aria-hidden="true" className="hidden h-5 w-px bg-edge/50 sm:block" />
            <p dir="auto" className="min-w-0 truncate text-sm font-semibold">
              {title}
            </p>
          </>
        )}
        {status && <div className="shrink-0">{status}</div>}
        <div className="ml-auto flex shrink-0 items-center gap-1 sm:gap-3">
          {screens.length > 0 && (
            <nav aria-label={t("shared-owners:screens")} className="hidden items-center md:flex">
              {screens.map(({ href, label, current }) => (
                <Anchor
                  key={href}
                  href={href}
                  aria-current={current ? "page" : undefined}
                  className="inline-flex min-h-10 items-center rounded px-3 text-sm leading-title text-muted no-underline hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
                >
                  {label}
                </Anchor>
              ))}
            </nav>
          )}
          <UserMenu {...user}>
            <MenuDivider />
            <LanguageSwitch lang={lang} url={url} className="px-1" />
          </UserMenu>
        </div>
      </div>
    </header>
  );
}
