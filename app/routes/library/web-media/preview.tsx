import { WebPlayer } from "~/components/media/web-player";
import { OutsideLink } from "~/components/outside-link";
import { useTranslation } from "~/i18n/translation";
import type { WebDialogData } from "./dialog.server";

/** Preview of a web media item before it is saved: its player after a click, or its image, and its provider. */
export function WebPreview({ preview }: { readonly preview: NonNullable<WebDialogData["preview"]> }) {
  const { t } = useTranslation();
  const { title, author, provider, frame, image, link } = preview;
  return (
    <section aria-label={t("library:webMedia.preview")} className="grid gap-3">
      {frame && <WebPlayer {...frame} />}
      {image !== null && (
        <img src={image} alt={title} className="max-h-[50vh] w-full rounded bg-surface object-contain" />
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">{t("library:webMedia.provider")}</dt>
        <dd>{provider}</dd>
        {author && (
          <>
            <dt className="text-muted">{t("library:webMedia.author")}</dt>
            <dd>{author}</dd>
          </>
        )}
      </dl>
      <p className="text-sm text-muted text-phrase">
        {frame && t("library:webMedia.loadsOnPlay", { provider })}
      </p>
      <OutsideLink href={link.href}>{link.label}</OutsideLink>
    </section>
  );
}
