import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import { cx } from "./classes";
import { VisuallyHidden } from "./hidden";
import { Icon, type IconName } from "./icon";
import { MenuButton, MenuDivider, MenuLink, menuPanel, useCloseElsewhere } from "./menu";
import { useHydrated } from "./use-hydrated";

export interface UserMenuItem {
  readonly href: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly current?: boolean;
}

export interface UserMenuProps {
  /** The person's name, as shown. */
  readonly name: string;
  /** A second line: e-mail address or company. */
  readonly detail?: string;
  readonly items: readonly UserMenuItem[];
  /** Where the log-out form posts to. */
  readonly logoutAction: string;
  /** Further content of the sheet, above log-out. */
  readonly children?: ReactNode;
}

/**
 * The account menu: `<UserMenu name=… items=… logoutAction="/logout" />`. Opens on hover, on focus and on a click; the sheet follows the
 * `<details>` rather than standing in it, so that the style sheet alone can show it.
 */
export function UserMenu({ name, detail, items, logoutAction, children }: UserMenuProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const details = useRef<HTMLDetailsElement>(null);
  const wrapper = useRef<HTMLDivElement>(null);
  const [dismissed, setDismissed] = useState(false);
  useCloseElsewhere(details, wrapper);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !details.current) return;
    event.stopPropagation();
    details.current.open = false;
    details.current.querySelector("summary")?.focus();
    setDismissed(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the summary and links inside
    <div
      ref={wrapper}
      className="group/menu relative"
      onKeyDown={onKeyDown}
      onPointerLeave={() => setDismissed(false)}
      onBlur={() => setDismissed(false)}
    >
      <details ref={details} className="peer" onToggle={() => setDismissed(false)}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by itself */}
        <summary
          className="flex min-h-10 min-w-10 items-center justify-center gap-2 -mr-1 rounded px-1 text-sm select-none hover:bg-ink/7 lg:-mr-2 lg:pr-2 lg:pl-1"
          onFocus={(event) => {
            if (details.current && !dismissed && event.currentTarget.matches(":focus-visible"))
              details.current.open = true;
          }}
        >
          <span
            data-initial={[...name.trim()][0]?.toUpperCase() ?? ""}
            className="grid size-8 place-items-center rounded-full bg-ink text-sm leading-none font-semibold text-paper before:content-[attr(data-initial)]"
          />
          <VisuallyHidden>{t("shared-owners:userMenuOf")}</VisuallyHidden>
          <span className="sr-only lg:not-sr-only lg:max-w-40 lg:truncate">{name}</span>
          <Icon name="chevron-down" size={16} className="hidden text-muted lg:block" />
        </summary>
      </details>
      <div
        className={cx(
          "absolute top-full right-0 w-64 max-w-[calc(100vw-2rem)] pt-1 peer-open:block",
          dismissed ? "hidden" : "hidden group-hover/menu:block",
          !hydrated && "group-focus-within/menu:block",
        )}
      >
        <div className={menuPanel}>
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
          <form method="post" action={logoutAction}>
            <MenuButton icon="logout">{t("shared-owners:logout")}</MenuButton>
          </form>
        </div>
      </div>
    </div>
  );
}
