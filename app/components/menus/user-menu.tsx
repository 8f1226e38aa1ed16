import { type ReactNode, useRef } from "react";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../cx";
import { Icon, type IconName } from "../icon";
import { VisuallyHidden } from "../visually-hidden";
import { MenuButton, MenuDivider, MenuLink } from "./menu";
import { menuItemClasses, menuPanelClasses } from "./menu-classes";
import { useReplacements } from "./use-replacements";

export interface UserMenuItem {
  readonly href: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly current?: boolean;
}

export interface UserMenuProps {
  /** Displayed name of the user. */
  readonly name: string;
  /** Second line: email address or company. */
  readonly detail?: string;
  readonly items: readonly UserMenuItem[];
  /** URL to which the logout form posts. */
  readonly logoutAction: string;
  /** Opens the sheet of keyboard shortcuts. */
  readonly onShortcuts: () => void;
  /** Further content of the panel, above the log-out button. */
  readonly children?: ReactNode;
}

/** Classes of the button with the user's initial and name. */
const triggerClasses =
  "flex min-h-10 min-w-10 items-center justify-center gap-2 -mr-1 rounded px-1 text-sm select-none hover:bg-ink/7 lg:-mr-2 lg:pr-2 lg:pl-1";

/** Classes that place the panel below the button. */
const panelClasses = "absolute top-full right-0 w-64 max-w-[calc(100vw-2rem)] pt-1";

/**
 * The account menu: `<UserMenu name=… items=… logoutAction="/logout" />`. It opens when it is hovered (specification §2) or clicked, and with Enter. On the server,
 * the panel is a sibling of the `<details>`, not its content, so that the style sheet can show it. Scripts replace both by a popover of Headless UI.
 */
export function UserMenu({ name, detail, items, logoutAction, onShortcuts, children }: UserMenuProps) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const replacements = useReplacements(host);
  const trigger = (
    <>
      <span
        data-initial={[...name.trim()][0]?.toUpperCase() ?? ""}
        className="grid size-8 place-items-center rounded-full bg-ink text-sm leading-none font-semibold text-paper before:content-[attr(data-initial)]"
      />
      <VisuallyHidden>{t("shared-owners:userMenuOf")}</VisuallyHidden>
      <span className="sr-only lg:not-sr-only lg:max-w-40 lg:truncate">{name}</span>
      <Icon name="chevron-down" size={16} className="hidden text-muted lg:block" />
    </>
  );
  const panel = (
    <div className={menuPanelClasses}>
      <div className="px-3 pt-2 pb-2 leading-title">
        <p className="truncate font-semibold">{name}</p>
        {detail && <p className="truncate text-xs leading-text text-muted">{detail}</p>}
      </div>
      <MenuDivider />
      <nav aria-label={t("shared-owners:userMenu")}>
        <ul>
          {items.map((item) => (
            <li key={item.href}>
              <MenuLink href={item.href} icon={item.icon} current={item.current}>
                {item.label}
              </MenuLink>
            </li>
          ))}
        </ul>
      </nav>
      {children}
      <MenuDivider />
      <MenuButton icon="help" onClick={onShortcuts}>
        {t("shared-owners:shortcuts.title")}
      </MenuButton>
      <form method="post" action={logoutAction}>
        <button type="submit" className={menuItemClasses}>
          <Icon name="logout" className="text-muted" />
          {t("shared-owners:logout")}
        </button>
      </form>
    </div>
  );
  return (
    <div ref={host} className="group/menu relative">
      {replacements ? (
        <replacements.EnhancedUserMenu
          trigger={trigger}
          triggerClassName={triggerClasses}
          panel={panel}
          panelClassName={panelClasses}
        />
      ) : (
        <>
          <details className="peer" suppressHydrationWarning>
            <summary className={triggerClasses}>{trigger}</summary>
          </details>
          <div className={cx(panelClasses, "hidden group-hover/menu:block peer-open:block")}>{panel}</div>
        </>
      )}
    </div>
  );
}
