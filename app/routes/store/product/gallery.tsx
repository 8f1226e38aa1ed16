import type { StoreImageData } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";
import { StoreImage } from "../shared/store-image";

export interface GalleryProps {
  readonly title: string;
  readonly images: readonly StoreImageData[];
  /** Image of the selected variant; it comes first. */
  readonly variantImage: StoreImageData | null;
}

/** Images of a product side by side, in a horizontally scrolling row. */
export function Gallery({ title, images, variantImage }: GalleryProps) {
  const { t } = useTranslation();
  const allImages = variantImage
    ? [variantImage, ...images.filter(({ large }) => large !== variantImage.large)]
    : images;
  if (allImages.length === 0)
    return <StoreImage image={null} alt="" sizes="" className="aspect-[4/3] w-full rounded" />;
  return (
    <ul
      tabIndex={allImages.length > 1 ? 0 : undefined}
      aria-label={t("store-visitors:images", { title })}
      className="-mx-5 flex snap-x snap-mandatory scroll-px-5 gap-3 overflow-x-auto px-5 pb-2 sm:-mx-6 sm:scroll-px-6 sm:px-6"
    >
      {allImages.map((image, index) => (
        <li
          key={image.large}
          className={`shrink-0 snap-start ${allImages.length > 1 ? "w-[85%] max-lg:portrait:w-1/2" : "w-full max-lg:portrait:w-1/2"}`}
        >
          <StoreImage
            image={image}
            alt={image.alt || t("store-visitors:imageOf", { title, at: index + 1, of: allImages.length })}
            sizes="24rem"
            isEager={index === 0}
            className="aspect-square rounded"
          />
        </li>
      ))}
    </ul>
  );
}
