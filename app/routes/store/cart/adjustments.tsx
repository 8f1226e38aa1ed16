import { type ReactNode, useEffect, useRef } from "react";
import { Notice } from "~/components/notice";
import { useTranslation } from "~/i18n/translation";
import type { Note } from "../shared/answers";

/** A place that is always there, so that what is said in it is heard: everything that the store has changed of a cart by itself, one line each, and apart from it what it only has to say. */
export function Adjustments({
  notes,
  children,
}: {
  readonly notes: readonly Note[];
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const isNew = useRef(true);
  // Whoever pressed a button further down sees it as well, and goes on from here. In the middle nothing stands over it: on phones the space covers the top.
  useEffect(() => {
    if (notes.length > 0) {
      place.current?.scrollIntoView({ block: "center" });
      if (!isNew.current) place.current?.focus({ preventScroll: true });
    }
    isNew.current = false;
  }, [notes]);
  const [changes, sayings] = [true, false].map((isChange) =>
    notes.filter((note) => note.isChange === isChange),
  );
  return (
    <div ref={place} role="status" tabIndex={-1} className="grid gap-5 empty:absolute">
      {changes && changes.length > 0 && (
        <Notice tone="warning" title={t("store-visitors:changed")}>
          <Lines notes={changes} />
          {children}
        </Notice>
      )}
      {sayings && sayings.length > 0 && (
        <Notice title={t("store-visitors:noted")}>
          <Lines notes={sayings} />
          {changes?.length === 0 && children}
        </Notice>
      )}
    </div>
  );
}

const Lines = ({ notes }: { readonly notes: readonly Note[] }) => (
  <ul>
    {notes.map(({ text }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same may be said of two lines
      <li key={index} className="[overflow-wrap:anywhere]">
        {text}
      </li>
    ))}
  </ul>
);
