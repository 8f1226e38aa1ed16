import { useEffect, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import { Anchor } from "./anchor";
import { IconButton } from "./button";
import { cx } from "./classes";
import { Icon } from "./icon";
import type { Tone } from "./notice";
import { useHydrated } from "./use-hydrated";

/** How long a toast stays (§9). */
export const TOAST_MS = 3000;

export interface ToastMessage {
  /** Another id is another toast, even with the same words. */
  readonly id: string;
  readonly message: string;
  readonly tone?: Extract<Tone, "success" | "danger">;
  /** Where one may go from it. */
  readonly action?: { readonly href: string; readonly label: string };
}

interface ToastProps {
  readonly toast: ToastMessage | null;
  /** What it says interrupts, and is there until it is closed: at the top, where no button of a form is. */
  readonly urgent?: boolean;
}

/**
 * What just happened, bottom right for three seconds: `<Toast toast={flash} />`, always rendered, with null when there is nothing to say. The pointer
 * or the focus on it stops its clock. Without scripts it stays until the next page.
 */
export function Toast({ toast, urgent = false }: ToastProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [goneId, setGoneId] = useState<string | null>(null);
  const [held, setHeld] = useState(false);
  const id = toast?.id ?? null;
  const stays = held || urgent;
  const shown = toast && goneId !== id;
  const dismiss = () => {
    setGoneId(id);
    setHeld(false);
  };

  useEffect(() => {
    if (id === null || stays) return;
    const timer = setTimeout(() => setGoneId(id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [id, stays]);
  // An alert is heard as it comes; a status only where its place was there before.
  if (urgent && !shown) return null;
  return (
    <div
      role={urgent ? "alert" : "status"}
      className={cx(
        "pointer-events-none fixed right-4 left-4 z-50 flex",
        urgent
          ? "top-4 justify-center"
          : "bottom-[calc(1rem+var(--dock,0px))] justify-end [body:has([data-action-bar])_&]:bottom-[calc(5rem+var(--dock,0px))]",
      )}
    >
      {shown && (
        // biome-ignore lint/a11y/noStaticElementInteractions: resting on it only holds its clock
        <div
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
          className="pointer-events-auto flex max-w-full items-center gap-3 rounded-lg bg-ink py-1 pr-1 pl-4 text-sm text-paper shadow-raised motion-safe:animate-arrive"
        >
          <Icon name={toast.tone === "danger" ? "warning" : "check"} />
          <p className="min-w-0 py-2 pr-3 text-phrase">{toast.message}</p>
          {toast.action && (
            <Anchor
              href={toast.action.href}
              className="inline-flex min-h-10 items-center rounded pr-3 font-semibold whitespace-nowrap text-paper underline underline-offset-4"
            >
              {toast.action.label}
            </Anchor>
          )}
          {hydrated && (
            <IconButton
              icon="close"
              label={t("shared:close")}
              onClick={dismiss}
              className="text-paper hover:bg-paper/15"
            />
          )}
        </div>
      )}
    </div>
  );
}
