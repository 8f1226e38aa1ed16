import { type ReactNode, type Ref, useRef } from "react";
import { Icon, isIconName } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { type AccessibleList, type Pin, Viewer, type ViewerHandle, type Viewpoint } from "~/viewer/Viewer";
import type { Scene } from "./scene-types";

/** What fills the two parts of the page. */
export interface SplitProps {
  readonly scene: Scene;
  readonly title: string;
  readonly twin: AccessibleList;
  readonly initialViewpoint?: Viewpoint | null;
  /** The pins that are to be seen; all of the scene when left out. */
  readonly pins?: readonly Pin[];
  /** The camera came to rest. */
  readonly onViewpoint?: (viewpoint: Viewpoint) => void;
  /** The stage, to be asked where the visitor is. */
  readonly stage?: Ref<ViewerHandle>;
  /** Under a 56 px top bar. */
  readonly underBar?: boolean;
  /** How much of a phone held upright the stage takes. */
  readonly phoneStage?: keyof typeof PHONE_ROWS;
  /** What stands beside the stage: at the right, below it on phones. */
  readonly children: ReactNode;
}

const PHONE_ROWS = {
  // On phones a showcase begins by itself only in a frame of 60 % of the screen or more (its own program, build 26.5.4).
  tall: "grid-rows-[70%_30%]",
  half: "grid-rows-[52%_48%]",
  small: "grid-rows-[30%_70%]",
  none: "grid-rows-[100%] max-lg:portrait:[&>section]:hidden",
} as const;

/** The entry of the list that shows something: a medium of a tag is shown by the tag. */
const entryOf = (id: string, { tags }: Scene): string =>
  tags.find(({ mediaIds }) => mediaIds.includes(id))?.id ?? id;

/** The kit's drawing for a name, on buttons and pins alike. */
const stageIcon = (name: string) => (isIconName(name) ? <Icon name={name} size={20} /> : null);

/**
 * A stage with a panel: the space at the left and the panel at the right; on phones the space above and the panel as a sheet
 * below it. Each part scrolls by itself, so the space never leaves the window. Without scripts it is
 * a picture, which on phones scrolls away with the page.
 */
export function Split({
  scene,
  title,
  twin,
  initialViewpoint = null,
  pins = scene.pins as Pin[],
  onViewpoint,
  stage,
  underBar = false,
  phoneStage = scene.source.kind === "showcase" ? "tall" : "half",
  children,
}: SplitProps) {
  const { t } = useTranslation();
  const whole = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={whole}
      data-split=""
      className={`grid grid-cols-[minmax(0,1fr)] ${PHONE_ROWS[phoneStage]} lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-1 landscape:max-lg:grid-cols-[minmax(0,1fr)_20rem] landscape:max-lg:grid-rows-1 ${underBar ? "h-[calc(100dvh-3.5rem)]" : "h-dvh"} min-h-96 bg-paper noscript:max-lg:portrait:h-auto noscript:max-lg:portrait:grid-rows-[16rem_auto]`}
    >
      <Viewer
        ref={stage}
        source={scene.source}
        poster={scene.poster}
        title={title}
        pins={pins}
        media={scene.hung}
        openPinId={twin.openPinId}
        focusedPinId={twin.focusedPinId}
        onOpenPin={(id) => twin.openPin(id === null ? null : entryOf(id, scene))}
        initialViewpoint={initialViewpoint}
        onViewpoint={onViewpoint}
        fullscreenTarget={whole}
        icon={stageIcon}
      />
      <main
        id="main"
        tabIndex={-1}
        aria-label={t("visitors:about")}
        className={`relative z-10 overflow-y-auto overscroll-contain noscript:max-lg:portrait:overflow-visible border-line bg-paper ${phoneStage === "none" ? "" : "max-lg:portrait:-mt-4 max-lg:portrait:rounded-t-lg"} lg:border-l`}
      >
        {children}
      </main>
    </div>
  );
}
