import { useState } from "react";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import type { ReaderProps } from "./reader.client";

/** Props of the link. */
export interface DocumentLinkProps extends Pick<ReaderProps, "src" | "title"> {
  /** URL of the thumbnail, or null. */
  readonly thumbnail?: string | null;
}

/** A link to a document, with its thumbnail. Pressing it replaces the link by the reader. Without scripts, it opens the file. */
export function DocumentLink({ src, title, thumbnail }: DocumentLinkProps) {
  const { t } = useTranslation();
  const [Reader, setReader] = useState<typeof import("./reader.client").default>();
  if (Reader) return <Reader src={src} title={title} takesFocus />;
  return (
    <a
      href={src}
      onClick={(event) => {
        event.preventDefault();
        void import("./reader.client").then(
          (loaded) => setReader(() => loaded.default),
          // If the reader's script cannot be loaded, the file itself is opened.
          () => window.location.assign(src),
        );
      }}
      aria-label={`${t("visitors:document.read")} ${title}`}
      className="picture relative min-h-32"
    >
      {thumbnail && <img src={thumbnail} alt="" loading="lazy" />}
      <span className="absolute bottom-2 left-2 flex min-h-10 items-center gap-2 rounded bg-paper px-4 text-sm font-semibold">
        <Icon name="document" size={16} />
        {t("visitors:document.read")}
      </span>
    </a>
  );
}
