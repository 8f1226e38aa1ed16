import { Icon, isIconName } from "~/components/icon";
import { Sound, Video } from "~/components/media/player";
import { OutsideLink } from "~/components/outside-link";
import { atWidth } from "~/domain/library/media-url";
import { DocumentLink } from "~/features/library/reader/DocumentLink";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { useTranslation } from "~/i18n/translation";
import type { SceneMediaItem, SceneText } from "../scene/scene-types";
import { MEDIA_ICONS } from "./media-icons";

const EmbeddedMediaItem = createLatePart(
  withMessages(["visitors-late"], () => import("./embedded-media-item")),
);

/** A text of the content, with its language if it differs from the page's. */
export function LocalizedSpan({
  value,
  className,
}: {
  readonly value: SceneText;
  readonly className?: string;
}) {
  const { language } = useTranslation();
  if (!className && value.lang === language) return value.text;
  return (
    <span className={className} {...(value.lang !== language && { lang: value.lang })}>
      {value.text}
    </span>
  );
}

/** Paragraphs of a plain text; line breaks are kept. */
export function Prose({ value }: { readonly value: SceneText }) {
  const { language } = useTranslation();
  if (value.text === "") return null;
  const lang = value.lang === language ? undefined : value.lang;
  const [firstParagraph, ...otherParagraphs] = value.text.split(/\n{2,}/);
  if (otherParagraphs.length === 0)
    return (
      <p lang={lang} className="long-text">
        {firstParagraph}
      </p>
    );
  return (
    <div lang={lang} className="grid gap-3">
      {[firstParagraph, ...otherParagraphs].map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of one fixed text, which may repeat
        <p key={index} className="long-text">
          {paragraph}
        </p>
      ))}
    </div>
  );
}

/** One media item of the page. */
export function MediaItem({ item }: { readonly item: SceneMediaItem }) {
  const { language } = useTranslation();
  const { kind, title, src, hasImage } = item;
  return (
    <figure data-medium={item.id} className="medium">
      {kind === "pdf" && (
        <DocumentLink src={src} title={title.text} thumbnail={hasImage ? atWidth(src, 1280) : null} />
      )}
      {hasImage && kind !== "pdf" && (
        <a href={src} className="picture">
          <img
            srcSet={`${atWidth(src, 1280)} 2x`}
            src={atWidth(src, 640)}
            alt={title.text}
            lang={title.lang === language ? undefined : title.lang}
            loading="lazy"
            decoding="async"
            width={item.width ?? undefined}
            height={item.height ?? undefined}
          />
        </a>
      )}
      {(item.frame || item.stage) && <EmbeddedMediaItem item={item} />}
      {kind === "video" && <Video src={src} title={title.text} width={item.width} height={item.height} />}
      {kind === "audio" && <Sound src={src} title={title.text} />}
      <figcaption>
        <Icon name={MEDIA_ICONS[kind]} size={16} />
        <LocalizedSpan value={title} />
        <Prose value={item.description} />
        {item.link && (
          <OutsideLink href={item.link.href} subject={title.text}>
            {item.link.label}
          </OutsideLink>
        )}
      </figcaption>
    </figure>
  );
}

/** Colour and icon of a tag. They are decorative: the tag's title is beside them. */
export function TagSign({ color, icon }: { readonly color: string; readonly icon: string }) {
  return (
    <Icon name={isIconName(icon) ? icon : "info"} className="tag-sign" style={{ backgroundColor: color }} />
  );
}
