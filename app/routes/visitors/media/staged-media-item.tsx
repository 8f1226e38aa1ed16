import { useState } from "react";
import { Dialog } from "~/components/dialog";
import { Icon, isIconName } from "~/components/icon";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/translation";
import { Viewer } from "~/viewer/Viewer";
import type { SceneMediaItem, SceneStage } from "../scene/scene-types";
import { MEDIA_ICONS } from "./media-icons";

/** Model or splats with the data of their viewer. */
export interface StagedMediaItemProps {
  readonly item: Pick<SceneMediaItem, "kind" | "title">;
  readonly stage: SceneStage;
}

const stageIcon = (name: string) => (isIconName(name) ? <Icon name={name} size={20} /> : null);

/**
 * A model or splats: an image that opens them in their own viewer, and a link to the uploaded file. Without scripts the image opens nothing, and
 * a sentence explains why.
 */
export function StagedMediaItem({ item, stage }: StagedMediaItemProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  const title = item.title.text;
  const frameClasses = "relative block w-full overflow-hidden rounded bg-surface";
  const image = <StagedImage item={item} stage={stage} isNamed={!hydrated} />;
  return (
    <div className="grid gap-1">
      {hydrated ? (
        <button type="button" onClick={() => setOpen(true)} className={frameClasses}>
          {image}
          <span className="absolute bottom-2 left-2 flex min-h-10 items-center gap-2 rounded bg-paper px-4 text-sm font-semibold text-ink">
            <Icon name="cube" size={16} />
            {t("visitors-late:staged.open")}
            <span className="sr-only"> {title}</span>
          </span>
        </button>
      ) : (
        <div className={frameClasses}>{image}</div>
      )}
      {!hydrated && (
        <p className="hidden text-sm text-muted text-phrase noscript:block">
          {t("visitors-late:staged.noScripts")}
        </p>
      )}
      <a href={stage.original} download="" className="text-link w-fit text-sm">
        <Icon name="download" size={16} />
        {t("visitors-late:staged.download", { size: stage.size })}
        <span className="sr-only"> {title}</span>
      </a>
      {isOpen && (
        <Dialog title={title} size="stage" onClose={() => setOpen(false)}>
          <div className="relative h-[min(75dvh,48rem)] overflow-hidden rounded">
            <Viewer
              source={stage.source}
              poster={stage.image && `${stage.image}1280`}
              title={title}
              pins={[]}
              openPinId={null}
              onOpenPin={() => {}}
              icon={stageIcon}
            />
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** Thumbnail, or an icon of the kind if there is none. @param isNamed whether the image needs an accessible name */
function StagedImage({ item, stage, isNamed }: StagedMediaItemProps & { readonly isNamed: boolean }) {
  const { language } = useTranslation();
  const { kind, title } = item;
  if (stage.image === null)
    return (
      <span className="grid aspect-video w-full place-items-center text-faint">
        <Icon name={MEDIA_ICONS[kind]} size={40} />
      </span>
    );
  return (
    <img
      sizes="26rem"
      srcSet={`${stage.image}640 640w,${stage.image}1280 1280w`}
      src={`${stage.image}1280`}
      alt={isNamed ? title.text : ""}
      lang={title.lang === language ? undefined : title.lang}
      loading="lazy"
      decoding="async"
      className="aspect-video w-full object-cover"
    />
  );
}
