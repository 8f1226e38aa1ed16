/** A PDF document in a page: all that screens take from app/reader. */
import { useEffect, useRef, useState } from "react";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/use-translation";
import type { ReaderProps } from "./reader";

const loadReader = () => import("./reader");

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
  const [open, setOpen] = useState<{ Reader: typeof import("./reader").default; pressed: boolean }>();
  const read = (pressed: boolean) =>
    loadReader().then(
      ({ default: Reader }) => setOpen({ Reader, pressed }),
      // A script that does not come: the file itself may.
      () => pressed && window.location.assign(reader.src),
    );
  const begin = useRef(read);
  useEffect(() => {
    if (starts) void begin.current(false);
  }, [starts]);
  if (open) return <open.Reader {...reader} takesFocus={open.pressed} />;
  return (
    <a
      href={reader.src}
      onClick={(event) => {
        event.preventDefault();
        void read(true);
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
