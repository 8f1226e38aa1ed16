import { useTranslation } from "~/i18n/translation";

/** Thumbnail of a new space. */
export function SpaceThumbnail({ src }: { readonly src: string }) {
  const { t } = useTranslation();
  return (
    <figure className="flex items-center gap-3 text-sm">
      <img src={src} alt="" width={160} height={90} className="aspect-picture w-40 rounded object-cover" />
      <figcaption>{t("spaces:sources.imageOfSpace")}</figcaption>
    </figure>
  );
}
