import { useTranslation } from "~/i18n/translation";

export interface PanoramaShapeTextProps {
  /** Title of the panorama in the space. */
  readonly panoramaTitle: string;
  /** Size of the image in pixels. */
  readonly width: number;
  readonly height: number;
}

/** States that an image cannot be a panorama. */
export default function PanoramaShapeText({ panoramaTitle, width, height }: PanoramaShapeTextProps) {
  const { t } = useTranslation();
  return <>{t("spaces:sources.errors.shape", { title: panoramaTitle, width, height })}</>;
}
