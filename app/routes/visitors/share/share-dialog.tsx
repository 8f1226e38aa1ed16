import { CopyField } from "~/components/copy-field";
import { Dialog } from "~/components/dialog";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";

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
          <a
            href={qr}
            download="qr.svg"
            className="inline-flex min-h-10 items-center gap-2 text-sm text-accent underline underline-offset-4"
          >
            <Icon name="download" size={16} />
            {t("visitors-late:qrSave")}
          </a>
        </section>
      </div>
    </Dialog>
  );
}
