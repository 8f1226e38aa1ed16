import { Icon, isIconName } from "~/components/icon";
import { Sound, Video } from "~/components/media/player";
import { OutsideLink } from "~/components/outside-link";
import { Document } from "~/features/library/reader/Document";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";
import { useTranslation } from "~/i18n/translation";
import type { SceneMedium, SceneText } from "../scene/scene-types";
import { MEDIA_ICONS } from "./media-icons";

const MoreMedium = later(withMessages(["visitors-late"], () => import("./media-item-more")));

/** A text of the content, with its language if it differs from the page's. */
export function Words({ value, className }: { readonly value: SceneText; readonly className?: string }) {
  const { language } = useTranslation();
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
  return (
    <div className="grid gap-3" {...(value.lang !== language && { lang: value.lang })}>
      {value.text.split(/\n{2,}/).map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of one fixed text, which may repeat
        <p key={index} className="whitespace-pre-line [overflow-wrap:anywhere]">
          {paragraph}
        </p>
      ))}
    </div>
  );
}

/** One media item of the page. It can be viewed, played or opened without scripts. */
export function Medium({ medium }: { readonly medium: SceneMedium }) {
  const { language } = useTranslation();
  const { kind, title, src, picture } = medium;
  return (
    <figure data-medium={medium.id} className="grid gap-2">
      {kind === "pdf" && <Document src={src} title={title.text} picture={picture && `${picture}1280`} />}
      {picture && kind !== "pdf" && (
        <a href={src} className="block overflow-hidden rounded bg-surface">
          <img
            sizes="26rem"
            srcSet={`${picture}640 640w,${picture}1280 1280w`}
            src={`${picture}1280`}
            alt={title.text}
            lang={title.lang === language ? undefined : title.lang}
            loading="lazy"
            decoding="async"
            width={medium.width ?? undefined}
            height={medium.height ?? undefined}
            className="h-auto max-h-[60vh] w-full object-contain"
          />
        </a>
      )}
      {(medium.frame || medium.stage) && <MoreMedium medium={medium} />}
      {kind === "video" && <Video src={src} title={title.text} width={medium.width} height={medium.height} />}
      {kind === "audio" && <Sound src={src} title={title.text} />}
      <figcaption className="grid gap-1 text-sm">
        <span className="flex items-center gap-2">
          <Icon name={MEDIA_ICONS[kind]} size={16} className="text-muted" />
          <Words value={title} className="font-semibold" />
        </span>
        {medium.description.text && (
          <div className="text-muted">
            <Prose value={medium.description} />
          </div>
        )}
        {medium.link && (
          <OutsideLink href={medium.link.href} about={title.text}>
            {medium.link.label}
          </OutsideLink>
        )}
      </figcaption>
    </figure>
  );
}

/** Colour and icon of a tag. They are decorative: the tag's title is beside them. */
export function TagSign({ color, icon }: { readonly color: string; readonly icon: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-8 shrink-0 place-items-center rounded-full text-[#fff]"
      style={{ backgroundColor: color }}
    >
      <Icon name={isIconName(icon) ? icon : "info"} size={16} />
    </span>
  );
}
