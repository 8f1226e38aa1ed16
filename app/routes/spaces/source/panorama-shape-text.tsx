import { useTranslation } from "~/i18n/translation";

export interface PanoramaShapeTextProps {
  /** Name of the panorama's place. */
  readonly place: string;
  /** Size of the image in pixels. */
  readonly width: number;
  readonly height: number;
}

/** States that an image cannot be a panorama. */
export default function PanoramaShapeText({ place, width, height }: PanoramaShapeTextProps) {
  const { t } = useTranslation();
  return <>{t("spaces:sources.errors.shape", { place, width, height })}</>;
}
