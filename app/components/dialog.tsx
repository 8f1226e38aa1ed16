import { type ReactNode, useId, useRef } from "react";
import { useTranslation } from "~/i18n/translation";
import { IconButton, IconLink } from "./button";
import { cx } from "./cx";
import { focusField } from "./focus-field";
import { useBeforePaint } from "./use-before-paint";
import { useHydrated } from "./use-hydrated";

export type DialogProps = DialogContent & (UrlDialog | ScriptDialog);

/** A dialog that is open while the page's URL contains its parameter. */
interface UrlDialog {
  /** URL of the page without the dialog, which the close link opens. */
  readonly closeHref: string;
  readonly onClose?: undefined;
}

/** A dialog that only scripts open, for example a confirmation. */
interface ScriptDialog {
  readonly closeHref?: undefined;
  readonly onClose: () => void;
}

interface DialogContent {
  readonly title: string;
  /** form: 640 px; small: 448 px, for questions; stage: as wide as the window, up to 1280 px. */
  readonly size?: keyof typeof WIDTHS;
  /** Buttons in the footer, which is always visible. The `form` attribute can link them to a form in the dialog. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

const WIDTHS = { small: "sm:max-w-md", form: "sm:max-w-form", stage: "sm:max-w-7xl" } as const;

/** Returns the checked radio button of a field's group, which is the one that Tab reaches; null for other fields and without a checked one. */
const getCheckedRadio = (fieldToFocus: HTMLElement) =>
  fieldToFocus instanceof HTMLInputElement && fieldToFocus.type === "radio"
    ? (fieldToFocus.form?.querySelector<HTMLElement>(`[name="${CSS.escape(fieldToFocus.name)}"]:checked`) ??
      null)
    : null;

/** Returns the element that gets the focus back when the dialog closes: the focused one, or the button of the menu that contains it. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const menu = focused?.closest("[role=menu]");
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
}

/**
 * A dialog that is part of the URL: `{dialog === "new" && <Dialog title=… closeHref="?">…</Dialog>}`. The server renders it open. With
 * scripts, it becomes modal: it keeps the focus, and Esc and the backdrop follow the close link. With `onClose` instead of `closeHref`, it is not part
 * of the URL.
 */
export function Dialog({ title, closeHref, onClose, size = "form", footer, children }: DialogProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const closeLink = useRef<HTMLAnchorElement>(null);
  const close = onClose ?? (() => closeLink.current?.click());

  // Before the first paint, so that the first frame contains the backdrop.
  useBeforePaint(() => {
    const element = dialog.current;
    if (!element || element.matches(":modal")) return;
    // An element inside the dialog, for example an error summary, may already have the focus.
    const focused = element.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    const opener = findOpener();
    element.removeAttribute("open");
    element.showModal();
    document.documentElement.dataset.modal = "";
    // In a form, the first field gets the focus; in other content, the title.
    const firstField = element.querySelector<HTMLElement>(
      "form :is(input:not([type=hidden]), textarea, select)",
    );
    const field = (firstField && getCheckedRadio(firstField)) ?? firstField;
    if (!focused && field) focusField(field);
    else (focused ?? heading.current)?.focus();
    return () => {
      element.close();
      if (!document.querySelector("dialog:modal")) delete document.documentElement.dataset.modal;
      if (document.activeElement === document.body) opener?.focus();
    };
  }, []);
  return (
    <>
      {!hydrated && <div className="fixed inset-0 z-40 bg-scrim" />}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users close the dialog with Esc */}
      <dialog
        ref={dialog}
        id={closeHref === undefined ? undefined : "dialog"}
        tabIndex={-1}
        open
        aria-labelledby={titleId}
        onCancel={(event) => {
          event.preventDefault();
          close();
        }}
        onClick={(event) => event.target === event.currentTarget && close()}
        className={cx(
          "fixed inset-0 z-40 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] flex-col overflow-hidden rounded-lg bg-raised p-0 text-ink shadow-raised backdrop:bg-scrim open:flex motion-safe:animate-arrive max-sm:mb-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none",
          WIDTHS[size],
        )}
      >
        <header className="flex items-start gap-4 py-3 pr-3 pl-4 sm:pl-6">
          <h2
            ref={heading}
            id={titleId}
            tabIndex={-1}
            className="min-w-0 flex-1 py-1.5 text-lg leading-title font-semibold"
          >
            {title}
          </h2>
          {onClose ? (
            <IconButton icon="close" label={t("shared:close")} onClick={onClose} />
          ) : (
            <IconLink
              ref={closeLink}
              icon="close"
              label={t("shared:close")}
              href={closeHref}
              keepScroll
              replace
            />
          )}
        </header>
        <div className="relative min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-6 sm:px-6">{children}</div>
        {footer && <footer className="border-t border-line px-4 py-3 sm:px-6">{footer}</footer>}
      </dialog>
    </>
  );
}
