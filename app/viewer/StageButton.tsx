import type { ReactNode, RefObject } from "react";

/** Tailwind classes that every button on the stage has. */
export const STAGE_BUTTON_CLASSES =
  "inline-flex h-10 min-w-10 items-center justify-center gap-2 rounded px-2 text-sm font-semibold whitespace-nowrap hover:bg-glass-ink/15 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-glass-ink aria-expanded:bg-glass-ink/20 aria-pressed:bg-glass-ink aria-pressed:text-glass aria-pressed:focus-visible:outline-glass";

interface StageButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  /** Visible content before the icon. */
  readonly lead?: ReactNode;
  readonly expanded?: boolean;
  readonly controls?: string;
  readonly pressed?: boolean;
  readonly button?: RefObject<HTMLButtonElement>;
  readonly className?: string;
  onClick(): void;
}

/** A button with an icon and an accessible name. Without an icon, the name is visible. */
export function StageButton(props: StageButtonProps) {
  const { label, icon, lead, expanded, controls, pressed, button, className = "", onClick } = props;
  return (
    <button
      ref={button}
      type="button"
      className={`${STAGE_BUTTON_CLASSES} ${className}`}
      title={icon ? label : undefined}
      aria-expanded={expanded}
      aria-controls={expanded ? controls : undefined}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {lead}
      {icon}
      <span className={icon ? "sr-only" : undefined}>{label}</span>
    </button>
  );
}
