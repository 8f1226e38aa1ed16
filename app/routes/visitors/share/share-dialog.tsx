import { Dialog } from "~/components/dialog";
import { CopyField } from "~/components/fields/copy-field";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";

/** URLs that visitors can share. They contain only the visitor's own token. */
export interface ShareProps {
  readonly eventLink: string;
  /** Link with the view or the tag with which the page or the dialog was opened; null without either. */
  readonly placeLink: string | null;
  /** Whether placeLink opens a tag, not only a view. */
  readonly isTag: boolean;
  /** URL of the QR code's image. */
  readonly qr: string;
  /** HTML for other sites; null if embedding is not possible. */
  readonly embed: string | null;
  readonly closeHref: string;
}

/** Dialog of `?dialog=share`. */
export default function ShareDialog({ eventLink, placeLink, isTag, qr, embed, closeHref }: ShareProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("visitors-late:shareTitle")} closeHref={closeHref}>
      <div className="grid gap-5">
        {placeLink && (
          <CopyField
            id="share-place"
            label={isTag ? t("visitors-late:shareTag") : t("visitors-late:shareView")}
            value={placeLink}
          />
        )}
        <CopyField id="share-event" label={t("visitors-late:shareEvent")} value={eventLink} />
        {embed && (
          <CopyField
            id="share-embed"
            label={t("visitors-late:embed")}
            hint={t("visitors-late:embedHint")}
            value={embed}
          />
        )}
        <section aria-labelledby="share-qr" className="flex flex-wrap items-end gap-x-5 gap-y-2">
          <div className="grid gap-1.5">
            <h3 id="share-qr" className="text-sm font-semibold">
              {t("visitors-late:qr")}
            </h3>
            <img
              src={qr}
              alt={t("visitors-late:qrOf")}
              width={176}
              height={176}
              className="rounded border border-line bg-[#fff]"
            />
          </div>
          <a href={qr} download="qr.svg" className="text-link text-sm">
            <Icon name="download" size={16} />
            {t("visitors-late:qrSave")}
          </a>
        </section>
      </div>
    </Dialog>
  );
}
