import { Icon } from "~/components/icon";
import type { StoreImageData } from "~/domain/store/store";
import { STORE_IMAGE_WIDTHS } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";

export interface StoreImageProps {
  readonly image: StoreImageData | null;
  /** Alternative text; empty beside a title with the same text. */
  readonly alt: string;
  /** `sizes` attribute of the image. */
  readonly sizes: string;
  readonly className?: string;
  /** Whether the image loads immediately, because it is in the first view of the page. */
  readonly isEager?: boolean;
}

/** Image from the store, or a placeholder if there is none. */
export function StoreImage({ image, alt, sizes, className = "", isEager = false }: StoreImageProps) {
  const { t } = useTranslation();
  if (!image)
    return (
      <span className={`grid place-items-center bg-surface text-faint ${className}`}>
        <Icon name="picture" size={32} />
        <span className="sr-only">{t("store-visitors:noImage")}</span>
      </span>
    );
  const { small, large } = STORE_IMAGE_WIDTHS;
  return (
    <img
      src={image.large}
      srcSet={`${image.small} ${small}w,${image.large} ${large}w`}
      sizes={sizes}
      alt={alt}
      width={image.width ?? undefined}
      height={image.height ?? undefined}
      loading={isEager ? undefined : "lazy"}
      decoding="async"
      className={`w-full bg-surface object-contain ${className}`}
    />
  );
}
