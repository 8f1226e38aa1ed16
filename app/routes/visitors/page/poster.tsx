import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";

export interface PosterProps {
  readonly name: string;
  /** An address that becomes that of a picture with a width at its end. */
  readonly picture: string | null;
  /** The viewer itself. */
  readonly href: string;
}

/** A viewer in somebody else's page before anybody has asked for it: a picture and a link, without a script of ours. */
export default function Poster({ name, picture, href }: PosterProps) {
  const { t } = useTranslation();
  return (
    <main id="main" tabIndex={-1} className="relative grid h-dvh min-h-36 bg-[#15171c]">
      {picture && (
        <img
          src={`${picture}1280`}
          srcSet={`${picture}640 640w, ${picture}1280 1280w`}
          sizes="100vw"
          alt=""
          className="absolute inset-0 size-full object-cover"
        />
      )}
      <div className="relative flex flex-col items-start justify-end gap-3 bg-linear-to-t from-[#15171c]/90 to-transparent p-4 sm:p-6">
        <h1 className="rounded bg-[#15171c] px-2 py-1 text-lg leading-title font-semibold text-[#fff] [overflow-wrap:anywhere]">
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
