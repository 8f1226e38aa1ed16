import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { forwardRef } from "react";
import { Anchor, type AnchorProps } from "./anchor";
import { cx } from "./cx";
import { Icon, type IconName } from "./icon";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";

const baseClasses =
  "inline-flex min-h-10 items-center justify-center gap-2 rounded px-4 py-1 text-sm leading-title font-semibold whitespace-nowrap no-underline select-none transition-colors";

const disabledClasses =
  "disabled:border disabled:border-line disabled:bg-surface disabled:text-faint aria-busy:border aria-busy:border-line aria-busy:bg-surface aria-busy:text-faint";

const variantClasses: Record<ButtonVariant, string> = {
  primary: `bg-accent text-accent-ink hover:bg-accent-strong ${disabledClasses}`,
  secondary: `border border-edge/65 bg-paper text-ink hover:border-edge hover:bg-surface ${disabledClasses}`,
  quiet:
    "text-ink hover:bg-ink/7 disabled:bg-transparent disabled:opacity-40 aria-busy:bg-transparent aria-busy:opacity-40",
  danger: `bg-danger text-danger-ink hover:bg-danger-strong ${disabledClasses}`,
};

interface ButtonStyle {
  /** A screen has at most one primary button. "danger" is for a destructive action, and never beside a primary button. */
  readonly variant?: ButtonVariant;
  readonly icon?: IconName;
}

export interface ButtonProps extends ComponentPropsWithoutRef<"button">, ButtonStyle {
  /** The action is in progress. The button ignores clicks but keeps the focus, which a disabled button would lose. */
  readonly pending?: boolean;
}

/** A button: `<Button variant="primary" type="submit">…</Button>`. The default type is "button". */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { variant = "secondary", icon, pending = false, type = "button", className, children, onClick, ...rest },
  ref,
) {
  return (
    <button
      ref={ref}
      type={type}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      className={cx(
        baseClasses,
        variantClasses[variant],
        pending && "cursor-progress",
        icon && "pl-3",
        className,
      )}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
});

export interface LinkButtonProps extends AnchorProps, ButtonStyle {}

/** A link that looks like a button: `<LinkButton variant="primary" href="?new">…</LinkButton>`. */
export function LinkButton({ variant = "secondary", icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <Anchor className={cx(baseClasses, variantClasses[variant], icon && "pl-3", className)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </Anchor>
  );
}

const iconButtonClasses =
  "inline-flex size-10 shrink-0 items-center justify-center rounded transition-colors";

interface IconOnlyProps {
  readonly icon: IconName;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly variant?: ButtonVariant;
}

export interface IconButtonProps
  extends Omit<ComponentPropsWithoutRef<"button">, "children">,
    IconOnlyProps {}

/** A button with only an icon: `<IconButton icon="copy" label={t("shared:copy")} />`. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { icon, label, variant = "quiet", type = "button", className, ...rest },
  ref,
) {
  return (
    <button
      ref={ref}
      type={type}
      aria-label={label}
      title={label}
      className={cx(iconButtonClasses, variantClasses[variant], className)}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
});

export interface IconLinkProps extends Omit<AnchorProps, "children">, IconOnlyProps {}

/** A link with only an icon: `<IconLink icon="close" label={t("shared:close")} href="?" />`. */
export const IconLink = forwardRef<HTMLAnchorElement, IconLinkProps>(function IconLink(
  { icon, label, variant = "quiet", className, ...rest },
  ref,
) {
  return (
    <Anchor
      ref={ref}
      aria-label={label}
      title={label}
      className={cx(iconButtonClasses, variantClasses[variant], className)}
      {...rest}
    >
      <Icon name={icon} />
    </Anchor>
  );
});

/**
 * Invisible submit button at the start of a form with several submit buttons: `<form><DefaultSubmit />…`. Enter in a field presses the first one,
 * which could otherwise delete something. It is not in the tab order.
 */
export function DefaultSubmit(
  props: Pick<ComponentPropsWithoutRef<"button">, "name" | "value" | "disabled">,
) {
  return <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" {...props} />;
}

/** Buttons in a row, the primary one first. They wrap on narrow screens: `<ButtonRow>…</ButtonRow>`. */
export function ButtonRow({
  children,
  className,
  isActionBar = false,
}: {
  readonly children: ReactNode;
  readonly className?: string;
  /** Whether the row is the action bar of its form. Toasts stay above it, and `className` can make it sticky. */
  readonly isActionBar?: boolean;
}) {
  return (
    <div
      data-action-bar={isActionBar || undefined}
      className={cx("flex flex-wrap items-center gap-2", className)}
    >
      {children}
    </div>
  );
}
