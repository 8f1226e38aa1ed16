import { type ReactNode, useEffect, useRef, useState } from "react";
import { TOAST_MS, UNDO_MS } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { IconButton } from "../button";
import { cx } from "../cx";
import { Icon } from "../icon";
import { useHydrated } from "../use-hydrated";
import type { Tone } from "./notice";

export interface ToastMessage {
  /** A new id shows the toast again, even with the same text. */
  readonly id: string;
  readonly message: string;
  readonly tone?: Extract<Tone, "success" | "danger">;
  /** Link or form in the toast, with the classes `toastActionClasses`. A toast with an action stays visible for UNDO_MS, or until it is closed or the page changes. */
  readonly action?: ReactNode;
}

/** Classes of a link or button in a toast. */
export const toastActionClasses =
  "inline-flex min-h-10 items-center rounded pr-3 font-semibold whitespace-nowrap text-paper underline";

interface ToastProps {
  readonly toast: ToastMessage | null;
  /** Whether the toast is announced as an alert and stays until it is closed. It is at the top, so that it covers no form buttons. */
  readonly urgent?: boolean;
}

/**
 * A toast at the bottom right: `<Toast toast={flash} />`. A success is shown for three seconds, and with an action for ten minutes, the time in which
 * changes can be undone; a failure until it is closed or the page changes. Hovering or focusing it pauses the time. Without scripts, it stays until the
 * next page. Always render it, with null when there is no message.
 */
export function Toast({ toast, urgent = false }: ToastProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [closedId, setClosedId] = useState<string | null>(null);
  const [isTimerPaused, setTimerPaused] = useState(false);
  const id = toast?.id ?? null;
  const shownMs = toast?.action ? UNDO_MS : TOAST_MS;
  // There is no time limit for reading about a failure (WCAG 2.2.1).
  const isPersistent = isTimerPaused || urgent || toast?.tone === "danger";
  const isShown = toast && closedId !== id;
  const dismiss = () => {
    setClosedId(id);
    setTimerPaused(false);
  };

  const remainingMs = useRef(shownMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another toast has its whole time
  useEffect(() => {
    remainingMs.current = shownMs;
  }, [id, shownMs]);
  useEffect(() => {
    if (id === null || isPersistent) return;
    const startedAt = Date.now();
    const timer = setTimeout(() => setClosedId(id), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current -= Date.now() - startedAt;
    };
  }, [id, isPersistent]);
  // Screen readers announce an alert when its element is inserted, but a status only if its element already exists.
  if (urgent && !isShown) return null;
  return (
    <div
      role={urgent ? "alert" : "status"}
      className={cx(
        "pointer-events-none fixed right-4 left-4 z-50 flex",
        urgent ? "top-4 justify-center" : "bottom-[calc(1rem+var(--dock,0px))] justify-end",
        !urgent && isShown && "[body:has([data-action-bar])_&]:bottom-[calc(5rem+var(--dock,0px))]",
      )}
    >
      {isShown && (
        // biome-ignore lint/a11y/noStaticElementInteractions: hovering and focusing only pause the timer
        <div
          onPointerEnter={() => setTimerPaused(true)}
          onPointerLeave={() => setTimerPaused(false)}
          onFocus={() => setTimerPaused(true)}
          onBlur={() => setTimerPaused(false)}
          className="pointer-events-auto flex max-w-full items-center gap-3 rounded-lg bg-ink py-1 pr-1 pl-4 text-sm text-paper shadow-raised motion-safe:animate-arrive"
        >
          <Icon name={toast.tone === "danger" ? "warning" : "check"} />
          <p className="min-w-0 py-2 pr-3 text-phrase">{toast.message}</p>
          {toast.action}
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
