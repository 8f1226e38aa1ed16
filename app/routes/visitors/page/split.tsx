import { type ReactNode, type Ref, useRef } from "react";
import { EmptyRoom } from "~/components/empty-room";
import { Icon, isIconName } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { type AccessibleList, type Pin, Viewer, type ViewerHandle, type Viewpoint } from "~/viewer/Viewer";
import { scrollToEntry } from "../list/scroll-to-entry";
import type { Scene } from "../scene/scene-types";

/** Props of the two parts of the page. */
export interface SplitProps {
  readonly scene: Scene;
  readonly title: string;
  readonly accessibleList: AccessibleList;
  readonly initialViewpoint?: Viewpoint | null;
  /** Visible pins; all pins of the scene if undefined. */
  readonly pins?: readonly Pin[];
  /** Called when the camera stops moving. */
  readonly onViewpoint?: (viewpoint: Viewpoint) => void;
  /** Handle of the stage, which returns the current viewpoint. */
  readonly stage?: Ref<ViewerHandle>;
  /** Share of an upright phone's screen that the stage takes. */
  readonly phoneStage?: keyof typeof PHONE_ROWS;
  /** Content of the panel: at the right, or below the stage on upright phones. */
  readonly children: ReactNode;
}

const PHONE_ROWS = {
  // On phones a showcase starts automatically only in a frame of at least 60 % of the screen (Matterport's program, build 26.5.4).
  tall: "grid-rows-[70%_30%]",
  half: "grid-rows-[52%_48%]",
  small: "grid-rows-[30%_70%]",
  none: "grid-rows-[100%] max-lg:portrait:[&>section]:hidden",
} as const;

/** Id of the list entry that shows an item: a media item of a tag is in the tag's entry. */
const findEntryId = (id: string, { tags }: Scene): string =>
  tags.find(({ mediaIds }) => mediaIds.includes(id))?.id ?? id;

/** Icon for a name, on buttons and pins alike. */
const stageIcon = (name: string) => (isIconName(name) ? <Icon name={name} size={20} /> : null);

/**
 * A stage with a panel: the space at the left and the panel at the right; on upright phones the space above and the panel as a sheet below it. Only
 * the panel scrolls, so the space stays visible. Without scripts the stage is an image, which on upright phones scrolls with the page.
 */
export function Split({
  scene,
  title,
  accessibleList,
  initialViewpoint = null,
  pins = scene.pins as Pin[],
  onViewpoint,
  stage,
  phoneStage = scene.source.kind === "showcase" ? "tall" : "half",
  children,
}: SplitProps) {
  const { t } = useTranslation();
  const container = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={container}
      data-split=""
      className={`grid grid-cols-1 ${PHONE_ROWS[phoneStage]} lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-1 landscape:max-lg:grid-cols-[minmax(0,1fr)_20rem] landscape:max-lg:grid-rows-1 h-dvh min-h-96 bg-paper noscript:max-lg:portrait:h-auto noscript:max-lg:portrait:grid-rows-[16rem_auto]`}
    >
      <Viewer
        blank={<EmptyRoom />}
        ref={stage}
        source={scene.source}
        poster={scene.poster}
        title={title}
        pins={pins}
        media={scene.placedMedia}
        openPinId={accessibleList.openPinId}
        focusedPinId={accessibleList.focusedPinId}
        onOpenPin={(id) => {
          const entryId = id && findEntryId(id, scene);
          // The visitor may have scrolled away from an entry that is open.
          if (entryId === accessibleList.openPinId) scrollToEntry(entryId);
          else accessibleList.openPin(entryId);
        }}
        initialViewpoint={initialViewpoint}
        onViewpoint={onViewpoint}
        fullscreenTarget={container}
        icon={stageIcon}
      />
      <main
        id="main"
        tabIndex={-1}
        aria-label={t("visitors:about")}
        className={`relative z-10 overflow-y-auto overscroll-contain max-lg:portrait:has-data-tour-bar:pb-14 max-lg:portrait:has-data-tour-bar:scroll-pb-16 noscript:max-lg:portrait:overflow-visible border-line bg-paper ${phoneStage === "none" ? "" : "max-lg:portrait:-mt-4 max-lg:portrait:rounded-t-lg"} lg:border-l`}
      >
        {children}
      </main>
    </div>
  );
}
