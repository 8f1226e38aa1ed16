import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Anchor } from "./anchor";
import { cx } from "./classes";
import { Icon, type IconName } from "./icon";

/** The sheet that a menu shows. */
export const menuPanel =
  "z-40 min-w-56 rounded-lg bg-raised p-1 text-sm text-ink shadow-raised motion-safe:animate-arrive";

const itemLook =
  "flex min-h-10 w-full items-center gap-3 rounded px-3 py-1 text-left leading-title no-underline hover:bg-ink/7";

export interface MenuProps {
  /** What is on the button. */
  readonly trigger: ReactNode;
  /** The button's name where the trigger has no words. */
  readonly label?: string;
  /** Which edge the sheet keeps to. */
  readonly align?: "start" | "end";
  readonly triggerClassName?: string;
  readonly children: ReactNode;
}

/**
 * A disclosure with a sheet of links and buttons: `<Menu trigger="…"><MenuLink …/></Menu>`. Plain `<details>`; scripts add closing
 * by Esc, by a click elsewhere, and after a choice.
 */
export function Menu({ trigger, label, align = "end", triggerClassName, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  useCloseElsewhere(ref);
  const onKeyDown = (event: KeyboardEvent<HTMLDetailsElement>) => {
    const details = ref.current;
    if (event.key !== "Escape" || !details?.open) return;
    event.stopPropagation();
    details.open = false;
    details.querySelector("summary")?.focus();
  };
  return (
    <details ref={ref} name="menu" className="relative" onKeyDown={onKeyDown}>
      <summary
        aria-label={label}
        title={label}
        className={cx(
          "inline-flex min-h-10 min-w-10 items-center justify-center gap-2 rounded text-sm select-none hover:bg-ink/7",
          triggerClassName,
        )}
      >
        {trigger}
      </summary>
      <div className={cx("absolute top-full mt-1", align === "end" ? "right-0" : "left-0", menuPanel)}>
        {children}
      </div>
    </details>
  );
}

type Ref<T> = { readonly current: T | null };

/**
 * Closes an open `<details>` when the pointer or the focus goes outside of `scope`, and after a link in it is followed or a
 * form in it sent.
 */
export function useCloseElsewhere(details: Ref<HTMLDetailsElement>, scope: Ref<HTMLElement> = details) {
  useEffect(() => {
    const onEvent = (event: Event) => {
      if (!details.current?.open || !(event.target instanceof Element)) return;
      const within = scope.current?.contains(event.target);
      const chosen = event.type === "submit" || (event.type === "click" && event.target.closest("a"));
      const left = event.type === "pointerdown" || event.type === "focusin";
      if (within ? chosen : left) details.current.open = false;
    };
    const kinds = ["pointerdown", "focusin", "click", "submit"];
    for (const kind of kinds) document.addEventListener(kind, onEvent);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, onEvent);
    };
  }, [details, scope]);
}

export interface MenuLinkProps {
  readonly href: string;
  readonly icon?: IconName;
  readonly current?: boolean;
  /** For dialogs and sorting in place. */
  readonly keepScroll?: boolean;
  /** It leads to a file. */
  readonly download?: boolean;
  readonly children: ReactNode;
}

/** An entry that leads somewhere: `<MenuLink href="/library" icon="library">…</MenuLink>`. */
export function MenuLink({ href, icon, current = false, keepScroll, download, children }: MenuLinkProps) {
  return (
    <Anchor
      href={href}
      keepScroll={keepScroll}
      download={download || undefined}
      aria-current={current ? "page" : undefined}
      className={cx(itemLook, current && "font-semibold text-accent")}
    >
      {icon && <Icon name={icon} className={current ? undefined : "text-muted"} />}
      {children}
    </Anchor>
  );
}

export interface MenuButtonProps {
  readonly icon?: IconName;
  readonly tone?: "plain" | "danger";
  readonly type?: "button" | "submit";
  readonly name?: string;
  readonly value?: string;
  /** The id of the form it submits, when it stands outside. */
  readonly form?: string;
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

/** An entry that does something: put it in a form, `<form method="post"><MenuButton type="submit">…</MenuButton></form>`. */
export function MenuButton({ icon, tone = "plain", type = "submit", children, ...rest }: MenuButtonProps) {
  return (
    <button type={type} className={cx(itemLook, tone === "danger" && "text-danger")} {...rest}>
      {icon && <Icon name={icon} className={tone === "danger" ? undefined : "text-muted"} />}
      {children}
    </button>
  );
}

/** A hairline between groups of entries. */
export function MenuDivider() {
  return <hr className="mx-3 my-1 border-0 border-t border-line" />;
}
