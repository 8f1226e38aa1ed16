/** A PDF document in a page: all that screens take from app/reader. */
import { lazy, Suspense, useState } from "react";
import { Icon } from "~/components/icon";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/use-translation";
import type { ReaderProps } from "./reader";

const Reader = lazy(() => import("./reader"));

/** What a document needs to be shown. */
export interface DocumentProps extends Omit<ReaderProps, "takesFocus"> {
  /** The picture of its first page; null without one. */
  readonly picture: string | null;
  /** Begins to read without being asked, as soon as scripts run. */
  readonly starts?: boolean;
}

/**
 * The first page of a document, which becomes a reader when it is pressed; without scripts a way to the file. Nothing of the
 * reader is loaded before.
 */
export function Document({ picture, starts = false, ...reader }: DocumentProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [reads, setReads] = useState(starts);
  if (reads && hydrated)
    return (
      <Suspense fallback={<div className="min-h-40 rounded bg-surface" />}>
        <Reader {...reader} takesFocus={!starts} />
      </Suspense>
    );
  return (
    <a
      href={reader.src}
      onClick={(event) => {
        event.preventDefault();
        setReads(true);
      }}
      className="relative block min-h-32 overflow-hidden rounded bg-surface"
    >
      {picture && (
        <img
          src={picture}
          alt=""
          loading="lazy"
          decoding="async"
          className="max-h-[60vh] w-full object-contain"
        />
      )}
      <span className="absolute bottom-2 left-2 flex min-h-10 items-center gap-2 rounded bg-paper px-4 text-sm font-semibold">
        <Icon name="document" size={16} />
        {t("visit.document.read")}
        <span className="sr-only"> {reader.title}</span>
      </span>
    </a>
  );
}
