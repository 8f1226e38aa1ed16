import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";
import { Anchor } from "./anchor";
import { cx } from "./cx";
import { Icon } from "./icon";

export interface Crumb {
  readonly label: string;
  readonly href: string;
  /** Id of the folder, if items can be dropped on this breadcrumb to move them there. */
  readonly folderId?: string;
}

/** Breadcrumbs without the page itself: `<Breadcrumbs items={[{ label, href }]} />`. */
export function Breadcrumbs({ items }: { readonly items: readonly Crumb[] }) {
  const { t } = useTranslation();
  if (items.length === 0) return null;
  return (
    <nav aria-label={t("shared-owners:breadcrumbs")}>
      <ol className="flex flex-wrap items-center text-sm text-muted">
        {items.map((item, index) => (
          <li key={item.href} className="flex min-w-0 items-center">
            {index > 0 && <Icon name="chevron-right" size={16} className="mx-1 text-faint" />}
            <Anchor
              href={item.href}
              data-folder={item.folderId}
              className="inline-flex min-h-10 max-w-60 items-center rounded text-muted no-underline hover:text-ink hover:underline data-over:bg-accent/12 data-over:text-ink data-over:outline-2 data-over:outline-accent"
            >
              <span dir="auto" className="truncate">
                {item.label}
              </span>
            </Anchor>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export interface PageHeaderProps {
  readonly title: string;
  readonly breadcrumbs?: readonly Crumb[];
  /** Content beside the title, such as a status. */
  readonly badge?: ReactNode;
  readonly description?: ReactNode;
  /** The only primary action of the screen. */
  readonly action?: ReactNode;
  /** The menu with the other actions. It stays beside the title on phones. */
  readonly menu?: ReactNode;
}

/** The header of a page: `<PageHeader title=… breadcrumbs={…} action={<LinkButton variant="primary" …/>} />`. */
export function PageHeader({ title, breadcrumbs = [], badge, description, action, menu }: PageHeaderProps) {
  return (
    <div>
      <Breadcrumbs items={breadcrumbs} />
      <div
        className={cx(
          "flex flex-wrap items-center justify-between gap-y-3",
          menu ? "gap-x-2 sm:flex-nowrap" : "gap-x-6",
        )}
      >
        <div className={cx("flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1", Boolean(menu) && "flex-1")}>
          <h1 dir="auto" className="text-xl leading-title font-semibold">
            {title}
          </h1>
          {badge}
        </div>
        {action && (
          <div className={cx("max-w-full shrink-0", Boolean(menu) && "max-sm:order-last max-sm:basis-full")}>
            {action}
          </div>
        )}
        {menu}
      </div>
      {description && <div className="mt-1 max-w-prose text-sm text-muted text-phrase">{description}</div>}
    </div>
  );
}
