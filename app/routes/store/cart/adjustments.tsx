import { type ReactNode, useEffect, useRef } from "react";
import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";
import type { Note } from "../shared/store-result";

/**
 * Live region with changes that the store made to a cart, one line each, and separately the store's warnings. It is also rendered without notes, so
 * that screen readers announce later notes.
 */
export function Adjustments({
  notes,
  children,
}: {
  readonly notes: readonly Note[];
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation();
  const region = useRef<HTMLDivElement>(null);
  const isFirstRender = useRef(true);
  // The region is scrolled into view after a change, because the pressed button may be further down. It is centred, because on phones the 3D view
  // covers the top.
  useEffect(() => {
    if (notes.length > 0) {
      region.current?.scrollIntoView({ block: "center" });
      if (!isFirstRender.current) region.current?.focus({ preventScroll: true });
    }
    isFirstRender.current = false;
  }, [notes]);
  const [changes, warnings] = [true, false].map((isChange) =>
    notes.filter((note) => note.isChange === isChange),
  );
  return (
    <div ref={region} role="status" tabIndex={-1} className="grid gap-5 empty:absolute">
      {changes && changes.length > 0 && (
        <Notice tone="warning" title={t("store-visitors:changed")}>
          <NoteList notes={changes} />
          {children}
        </Notice>
      )}
      {warnings && warnings.length > 0 && (
        <Notice title={t("store-visitors:noted")}>
          <NoteList notes={warnings} />
          {changes?.length === 0 && children}
        </Notice>
      )}
    </div>
  );
}

const NoteList = ({ notes }: { readonly notes: readonly Note[] }) => (
  <ul>
    {notes.map(({ text }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have the same message
      <li key={index} className="wrap-anywhere">
        {text}
      </li>
    ))}
  </ul>
);
