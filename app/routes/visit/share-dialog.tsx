import { CopyField } from "~/components/copy-field";
import { Dialog } from "~/components/dialog";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/use-translation";

/** Everything that can be taken along from an event. Of the visitor's own token alone. */
export interface ShareProps {
  readonly eventLink: string;
  /** The view or tag that the page was opened at, or that was shown when the dialog was asked for. */
  readonly placeLink: string | null;
  readonly isTag: boolean;
  /** The address of the picture of the QR code. */
  readonly qr: string;
  /** HTML for other sites; null where there is nothing to be shown to others. */
  readonly embed: string | null;
  readonly closeHref: string;
}

/** The dialog of `?dialog=share`. */
export default function ShareDialog({ eventLink, placeLink, isTag, qr, embed, closeHref }: ShareProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("visitMore.shareTitle")} closeHref={closeHref}>
      <div className="grid gap-5">
        {placeLink && (
          <CopyField
            id="share-place"
            label={isTag ? t("visitMore.shareTag") : t("visitMore.shareView")}
            value={placeLink}
          />
        )}
        <CopyField id="share-event" label={t("visitMore.shareEvent")} value={eventLink} />
        {embed && (
          <CopyField
            id="share-embed"
            label={t("visitMore.embed")}
            hint={t("visitMore.embedHint")}
            value={embed}
          />
        )}
        <section aria-labelledby="share-qr" className="flex flex-wrap items-end gap-x-5 gap-y-2">
          <div className="grid gap-1.5">
            <h3 id="share-qr" className="text-sm font-semibold">
              {t("visitMore.qr")}
            </h3>
            <img
              src={qr}
              alt={t("visitMore.qrOf")}
              width={176}
              height={176}
              className="rounded border border-line bg-[#fff]"
            />
          </div>
          <a
            href={qr}
            download="qr.svg"
            className="inline-flex min-h-10 items-center gap-2 text-sm text-accent underline underline-offset-4"
          >
            <Icon name="download" size={16} />
            {t("visitMore.qrSave")}
          </a>
        </section>
      </div>
    </Dialog>
  );
}
