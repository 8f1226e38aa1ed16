import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";

export interface PosterProps {
  readonly name: string;
  /** URL of an image; the width is appended. */
  readonly image: string | null;
  /** URL of the viewer. */
  readonly href: string;
}

/** The viewer in a frame of another site before it is started: an image and a link, without scripts. */
export default function Poster({ name, image, href }: PosterProps) {
  const { t } = useTranslation();
  return (
    <main id="main" tabIndex={-1} className="relative grid h-dvh min-h-36 bg-[#15171c]">
      {image && (
        <img
          src={`${image}1280`}
          srcSet={`${image}640 640w, ${image}1280 1280w`}
          sizes="100vw"
          alt=""
          className="absolute inset-0 size-full object-cover"
        />
      )}
      <div className="relative flex flex-col items-start justify-end gap-3 bg-linear-to-t from-[#15171c]/90 to-transparent p-4 sm:p-6">
        <h1 className="rounded bg-[#15171c] px-2 py-1 text-lg leading-title font-semibold text-[#fff] wrap-anywhere">
          {name}
        </h1>
        <a
          href={href}
          className="inline-flex min-h-12 items-center gap-2 rounded bg-[#fff] px-5 font-semibold text-[#15171c] no-underline hover:bg-[#e8e8ec] focus-visible:outline-3 focus-visible:outline-offset-2 focus-visible:outline-[#fff]"
        >
          <Icon name="play" />
          {t("visitors:viewer.start")}
        </a>
      </div>
    </main>
  );
}
