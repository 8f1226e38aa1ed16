import { useEffect, useId, useRef, useState } from "react";
import { Button, IconButton } from "~/components/button";
import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import { loadNamespaces } from "~/i18n/load";
import { useTranslation } from "~/i18n/translation";
import type { DrawnPage, OpenPdf } from "./pdf.client";

/** Maximum number of device pixels per CSS pixel for which a page is drawn. */
const SHARPNESS_MAX = 2;

/** Props of the reader. */
export interface ReaderProps {
  readonly src: string;
  readonly title: string;
  /** Moves focus to the reader when it replaces the link that opened it. */
  readonly takesFocus?: boolean;
  /** Called when the first page has been drawn. */
  readonly onFirstPage?: (canvas: HTMLCanvasElement) => void;
  /** Called when the document requires a password. */
  readonly onLocked?: () => void;
  /** Called when the document is damaged, so that no browser can open it. */
  readonly onUnreadable?: () => void;
}

type State =
  | { readonly kind: "opening" | "failed" }
  | {
      readonly kind: "locked";
      readonly isWrong: boolean;
      readonly unlock: (password: string) => void;
    }
  | { readonly kind: "open"; readonly document: OpenPdf };

/** A reader of PDF documents. Pages are drawn on a canvas, and their text is available to screen readers. */
export default function Reader({ src, title, takesFocus = false, ...callbacks }: ReaderProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<State>({ kind: "opening" });
  const [pageNumber, setPageNumber] = useState(1);
  const [drawnPage, setDrawnPage] = useState<(DrawnPage & { readonly number: number }) | null>(null);
  const pageContainer = useRef<HTMLDivElement>(null);
  const reader = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) reader.current?.focus();
  }, [takesFocus]);
  const latestCallbacks = useRef(callbacks);
  useEffect(() => {
    latestCallbacks.current = callbacks;
  });

  useEffect(() => {
    const abort = new AbortController();
    setState({ kind: "opening" });
    setPageNumber(1);
    const open = async () => {
      const { openPdf } = await import("./pdf.client");
      const document = await openPdf(src, abort.signal, async (isWrong) => {
        await loadNamespaces(["visitors-late"]);
        if (abort.signal.aborted) return null;
        latestCallbacks.current.onLocked?.();
        return new Promise((unlock) => setState({ kind: "locked", isWrong, unlock }));
      });
      if (!abort.signal.aborted) setState(document ? { kind: "open", document } : { kind: "failed" });
    };
    open().catch((error) => {
      if (abort.signal.aborted) return;
      setState({ kind: "failed" });
      if (error instanceof UnreadableFileError) latestCallbacks.current.onUnreadable?.();
    });
    return () => abort.abort();
  }, [src]);

  const document = state.kind === "open" ? state.document : null;
  useEffect(() => {
    const element = pageContainer.current;
    if (!document || !element) return;
    let isStale = false;
    const width = element.clientWidth * Math.min(window.devicePixelRatio || 1, SHARPNESS_MAX);
    document.draw(pageNumber, width).then(
      (page) => {
        if (isStale) return;
        page.canvas.className = "block h-auto w-full";
        page.canvas.setAttribute("aria-hidden", "true");
        element.replaceChildren(page.canvas);
        setDrawnPage({ ...page, number: pageNumber });
        if (pageNumber === 1) latestCallbacks.current.onFirstPage?.(page.canvas);
      },
      () => {
        if (!isStale) setState({ kind: "failed" });
      },
    );
    return () => {
      isStale = true;
    };
  }, [document, pageNumber]);

  if (state.kind === "locked")
    return (
      <PasswordForm
        isWrong={state.isWrong}
        onPassword={(password) => {
          setState({ kind: "opening" });
          state.unlock(password);
        }}
      />
    );
  if (state.kind === "failed")
    return (
      <p role="status" className="rounded bg-surface p-6 text-sm text-muted text-phrase">
        {t("visitors:document.failed")}
      </p>
    );
  const pages = document?.pages ?? 0;
  return (
    <section ref={reader} tabIndex={-1} aria-label={title} className="grid grid-cols-1 gap-2">
      <div className="flex items-center gap-1">
        <IconButton
          icon="arrow-left"
          label={t("visitors:document.previous")}
          disabled={pageNumber <= 1}
          onClick={() => setPageNumber(pageNumber - 1)}
        />
        <IconButton
          icon="arrow-right"
          label={t("visitors:document.next")}
          disabled={pageNumber >= pages}
          onClick={() => setPageNumber(pageNumber + 1)}
        />
        <p role="status" className="ml-1 text-sm text-muted tabular-nums">
          {drawnPage && t("visitors:document.page", { number: drawnPage.number, pages })}
        </p>
      </div>
      <div
        ref={pageContainer}
        aria-hidden="true"
        aria-busy={drawnPage?.number !== pageNumber}
        className="min-h-40 overflow-hidden rounded border border-line bg-surface"
      />
      {drawnPage && <p className="sr-only">{drawnPage.text}</p>}
    </section>
  );
}

interface PasswordFormProps {
  readonly isWrong: boolean;
  readonly onPassword: (password: string) => void;
}

/** Form for the password of a document. The password is not sent, because the document is unlocked in the browser. */
function PasswordForm({ isWrong, onPassword }: PasswordFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="grid max-w-sm gap-2 rounded bg-surface p-6 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        const { value = "" } = field.current ?? {};
        if (value !== "") onPassword(value);
      }}
    >
      <p className="text-phrase">{t("visitors-late:document.locked")}</p>
      <label htmlFor={id} className="font-semibold">
        {t("visitors-late:document.password")}
      </label>
      <input
        ref={field}
        id={id}
        type="password"
        autoComplete="off"
        required
        className="control"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
      />
      {isWrong && (
        <p id={`${id}-error`} role="alert" className="text-danger text-phrase">
          {t("visitors-late:document.wrong")}
        </p>
      )}
      <div>
        <Button type="submit">{t("visitors-late:document.open")}</Button>
      </div>
    </form>
  );
}
