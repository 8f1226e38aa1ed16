import { useRevalidator } from "@remix-run/react";
import { useRef, useState } from "react";
import { Icon, isIconName } from "~/components/icon";
import { Sound, Video } from "~/components/media/player";
import { WebPlayer } from "~/components/media/web-player";
import { OutsideLink } from "~/components/outside-link";
import { Notice } from "~/components/status/notice";
import { EYE_HEIGHT } from "~/domain/shared/limits";
import { DocumentLink } from "~/features/library/reader/DocumentLink";
import { OpenedDocument } from "~/features/library/reader/OpenedDocument";
import { markUnreadable, uploadThumbnail } from "~/features/library/uploads/thumbnails/upload-thumbnail";
import { useTranslation } from "~/i18n/translation";
import { Viewer, type ViewerHandle, type ViewerSource } from "~/viewer/Viewer";
import { MEDIA_ICONS } from "../../visitors/media/media-icons";
import type { WebMediaItemPageData } from "../web-media/web-frame";
import type { ItemPageData } from "./item-page-data";

const stageIcon = (name: string) => (isIconName(name) ? <Icon name={name} size={20} /> : null);

interface ItemPreviewProps {
  readonly item: ItemPageData;
  readonly excerpt: string | null;
  /** Whether the item has no thumbnail, and the user may create one. */
  readonly createsThumbnail: boolean;
}

/** A media item, displayed or played, with links to its provider or its files. */
export function ItemPreview({
  web,
  ...props
}: ItemPreviewProps & { readonly web: WebMediaItemPageData | null }) {
  const { item } = props;
  const { t } = useTranslation();
  return (
    <section aria-label={t("library:item.preview")} className="grid gap-3">
      {web?.frame ? <WebPlayer {...web.frame} /> : <FilePreview {...props} />}
      {web && <OutsideLink href={web.link.href}>{web.link.label}</OutsideLink>}
      {item.original && item.original !== item.file && (
        <a href={item.original} download={item.fileName} className="text-link w-fit text-sm">
          <Icon name="download" size={16} />
          {t("library:conversion.downloadOriginal")}
        </a>
      )}
      {item.file && <OutsideLink href={item.file}>{t("library:item.openFile")}</OutsideLink>}
    </section>
  );
}

function FilePreview({ item, excerpt, createsThumbnail }: ItemPreviewProps) {
  const { t } = useTranslation();
  const { mediaKind, file, thumbnail, name, width, height } = item;
  if (mediaKind === "video" && file)
    return <Video src={file} title={name} poster={thumbnail} width={width} height={height} />;
  if (mediaKind === "audio" && file) return <Sound src={file} title={name} />;
  if ((mediaKind === "model" || mediaKind === "splat") && file)
    return <Stage item={item} file={file} kind={mediaKind} createsThumbnail={createsThumbnail} />;
  if (mediaKind === "pdf" && file)
    return <DocumentPreview key={file} item={item} file={file} createsThumbnail={createsThumbnail} />;
  if (excerpt !== null)
    return (
      <figure className="grid gap-2">
        <figcaption className="text-sm text-muted">{t("library:item.excerpt")}</figcaption>
        <pre className="rounded bg-surface p-4 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
          {excerpt}
        </pre>
      </figure>
    );
  if (thumbnail)
    return (
      <img
        src={thumbnail}
        // An image or a web media item has its name as alternative text; other thumbnails are decorative.
        alt={mediaKind === "image" || mediaKind === "web" ? name : ""}
        decoding="async"
        width={width ?? undefined}
        height={height ?? undefined}
        className="h-auto max-h-[70vh] w-full rounded bg-surface object-contain"
      />
    );
  return (
    <div className="grid aspect-picture max-h-[50vh] w-full place-items-center content-center gap-3 rounded bg-surface text-faint">
      <Icon name={MEDIA_ICONS[mediaKind]} size={40} />
      <p className="text-sm text-muted">{t("library:item.noPreview")}</p>
    </div>
  );
}

/**
 * Preview of a document. If the user may create its missing thumbnail, the document is opened immediately, and its first page becomes the thumbnail.
 * A document with a password gets no thumbnail, because visitors would see its first page without the password.
 */
function DocumentPreview({
  item,
  file,
  createsThumbnail,
}: Omit<ItemPreviewProps, "excerpt"> & { readonly file: string }) {
  const { t } = useTranslation();
  const { revalidate } = useRevalidator();
  const [isLocked, setLocked] = useState(false);
  // Value when the page was opened, so that a thumbnail that arrives later does not close the document.
  const [opensImmediately] = useState(createsThumbnail);
  const documentProps = { src: file, title: item.name };
  if (!opensImmediately) return <DocumentLink {...documentProps} thumbnail={item.thumbnail} />;
  return (
    <>
      {isLocked && <Notice>{t("library:item.needsPassword")}</Notice>}
      <OpenedDocument
        {...documentProps}
        onFirstPage={(page) => {
          if (!isLocked) void uploadThumbnail(item.id, () => page);
        }}
        onLocked={() => setLocked(true)}
        onUnreadable={() => void markUnreadable(item.id).then(revalidate)}
      />
    </>
  );
}

/** A model or splats on a stage that is loaded on demand, because the files may be large. */
function Stage({
  item,
  file,
  kind,
  createsThumbnail,
}: {
  readonly item: ItemPageData;
  readonly file: string;
  readonly kind: "model" | "splat";
  readonly createsThumbnail: boolean;
}) {
  const stage = useRef<ViewerHandle>(null);
  const { revalidate } = useRevalidator();
  const sourceFields = { url: file, start: null, eyeHeight: EYE_HEIGHT.usual };
  const source: ViewerSource =
    kind === "model" ? { kind, ...sourceFields } : { kind, ...sourceFields, up: "auto" };
  return (
    <div className="relative h-[min(60vh,32rem)] overflow-hidden rounded bg-surface">
      <Viewer
        ref={stage}
        source={source}
        poster={item.thumbnail}
        title={item.name}
        pins={[]}
        openPinId={null}
        onOpenPin={() => {}}
        autoStart={false}
        onReady={
          createsThumbnail
            ? () => void uploadThumbnail(item.id, (width) => stage.current?.captureImage(width))
            : undefined
        }
        onError={(code) => {
          // An item with a thumbnail was rendered successfully before.
          if (createsThumbnail && code === "load_failed") void markUnreadable(item.id).then(revalidate);
        }}
        icon={stageIcon}
      />
    </div>
  );
}
