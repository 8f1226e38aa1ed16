import { type ReactNode, useContext, useRef } from "react";
import { Anchor } from "../anchor";
import { cx } from "../cx";
import { Icon, type IconName } from "../icon";
import { useHydrated } from "../use-hydrated";
import type { MenuProps } from "./menu.client";
import { menuItemClasses, menuPanelClasses, menuTriggerClasses } from "./menu-classes";
import { MenuItemContext } from "./menu-item-context";
import { useReplacements } from "./use-replacements";

/**
 * A button that opens a panel of links and buttons: `<Menu trigger="…"><MenuLink …/></Menu>`. The server renders a `<details>`, which scripts
 * replace by a menu of Headless UI.
 */
export function Menu(props: MenuProps) {
  const { trigger, label, align = "end", triggerClassName, children } = props;
  const host = useRef<HTMLDivElement>(null);
  const replacements = useReplacements(host);
  return (
    <div ref={host} className="relative">
      {replacements ? (
        <replacements.EnhancedMenu {...props} />
      ) : (
        <details name="menu" suppressHydrationWarning>
          <summary aria-label={label} title={label} className={cx(menuTriggerClasses, triggerClassName)}>
            {trigger}
          </summary>
          <div
            className={cx(
              "absolute top-full mt-1 max-h-[60dvh] overflow-y-auto",
              align === "end" ? "right-0" : "left-0",
              menuPanelClasses,
            )}
          >
            {children}
          </div>
        </details>
      )}
    </div>
  );
}

export interface MenuLinkProps {
  readonly href: string;
  readonly icon?: IconName;
  readonly current?: boolean;
  /** Keeps the scroll position, for example when the link opens a dialog. */
  readonly keepScroll?: boolean;
  /** Whether the link downloads a file. */
  readonly download?: boolean;
  /** Whether the link opens a new tab. */
  readonly newTab?: boolean;
  readonly children: ReactNode;
}

/** A menu entry that is a link: `<MenuLink href="/library" icon="library">…</MenuLink>`. */
export function MenuLink(props: MenuLinkProps) {
  const { href, icon, current = false, keepScroll, download, newTab, children } = props;
  const Item = useContext(MenuItemContext);
  return (
    <Item>
      <Anchor
        href={href}
        keepScroll={keepScroll}
        download={download || undefined}
        target={newTab ? "_blank" : undefined}
        aria-current={current ? "true" : undefined}
        className={cx(menuItemClasses, current && "font-semibold text-accent")}
      >
        {icon && <Icon name={icon} className={current ? undefined : "text-muted"} />}
        {children}
      </Anchor>
    </Item>
  );
}

export interface MenuButtonProps {
  readonly icon?: IconName;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A menu entry that runs a script. It is hidden without scripts: `<MenuButton icon="upload" onClick={…}>…</MenuButton>`. */
export function MenuButton({ icon, onClick, children }: MenuButtonProps) {
  const Item = useContext(MenuItemContext);
  return (
    <Item>
      <button type="button" onClick={onClick} className={cx(menuItemClasses, "needs-script")}>
        {icon && <Icon name={icon} className="text-muted" />}
        {children}
      </button>
    </Item>
  );
}

export interface MenuSubmitProps {
  readonly icon?: IconName;
  /** Id of the form. */
  readonly form: string;
  /** Value of the form's button that the entry presses. */
  readonly value: string;
  readonly children: ReactNode;
}

/** A menu entry that presses a button of a form elsewhere on the page: `<MenuSubmit form="actions" value="delete">…</MenuSubmit>`. */
export function MenuSubmit({ icon, form, value, children }: MenuSubmitProps) {
  const Item = useContext(MenuItemContext);
  const hydrated = useHydrated();
  return (
    <Item>
      <button
        // A menu of Headless UI removes its entries at the click, and the browser submits no form for a removed button.
        type={hydrated ? "button" : "submit"}
        form={form}
        name="do"
        value={value}
        onClick={() => document.querySelector<HTMLElement>(`#${form} [value=${value}]`)?.click()}
        className={menuItemClasses}
      >
        {icon && <Icon name={icon} className="text-muted" />}
        {children}
      </button>
    </Item>
  );
}

export interface MenuGroupProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** A group of menu entries with a label: `<MenuGroup label="…"><MenuLink …/></MenuGroup>`. */
export function MenuGroup({ label, children }: MenuGroupProps) {
  return (
    <fieldset
      // Headless UI gives elements of a menu without an explicit role the role "none", which contradicts the label.
      // biome-ignore lint/a11y/noRedundantRoles: see above
      role="group"
      aria-label={label}
      className="border-line not-first:mt-1 not-first:border-t not-first:pt-1"
    >
      <p aria-hidden="true" className="px-3 pt-2 pb-1 text-xs text-muted">
        {label}
      </p>
      {children}
    </fieldset>
  );
}

/** A line between groups of entries. */
export function MenuDivider() {
  return <hr className="mx-3 my-1 border-0 border-t border-line" />;
}
