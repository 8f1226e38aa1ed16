import { useLocation } from "@remix-run/react";
import { type MutableRefObject, type ReactNode, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "~/components/button";
import { EmptyRoom } from "~/components/empty-room";
import { Icon, isIconName } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import {
  type AccessibleList,
  type Connection,
  type Pin,
  type PinDrag,
  type PlacedMediaItem,
  type SurfaceHit,
  Viewer,
  type ViewerErrorCode,
  type Viewpoint,
} from "~/viewer/Viewer";
import { SourceFaultNotice, TriangleCountNotice } from "../../spaces/source/source-fault-notice";
import type { Scene } from "../../visitors/scene/scene-types";
import { useFocusStageWhilePlacing } from "../focus/use-focus-stage-while-placing";
import { useKeptFocus } from "../focus/use-kept-focus";
import { useEditorView } from "./editor-context";

export interface EditorSplitProps {
  readonly scene: Pick<Scene, "source" | "poster">;
  readonly pins: readonly Pin[];
  readonly media: readonly PlacedMediaItem[];
  readonly title: string;
  readonly accessibleList: AccessibleList;
  readonly initialViewpoint: Viewpoint | null;
  /** Whether an upright phone displays the space. */
  readonly isStageShown: boolean;
  /** Whether an item was just placed by pointing. */
  readonly hasPlaced: boolean;
  /** Id of a new tag until its form opens. */
  readonly placedPinId: MutableRefObject<string | null>;
  readonly onPlace: (hit: SurfaceHit) => void;
  readonly onDrag: (drag: PinDrag) => void;
  /** Called with the state of the connection to a Matterport showcase. */
  readonly onConnection: (connection: Connection) => void;
  /** Called with true when the space cannot be displayed, and with false when it is displayed. */
  readonly onFailed: (failed: boolean) => void;
  readonly children: ReactNode;
}

const stageIcon = (name: string) => (isIconName(name) ? <Icon name={name} size={20} /> : null);

/** The space with the editor's panel: at its right, or on upright phones as a sheet below it. */
export function EditorSplit(props: EditorSplitProps) {
  const {
    scene,
    pins,
    media,
    title,
    accessibleList,
    initialViewpoint,
    isStageShown,
    hasPlaced,
    placedPinId,
    onPlace,
    onDrag,
    onConnection,
    onFailed,
    children,
  } = props;
  const { t } = useTranslation();
  const { stage, placing, editor, spaceId, onPlacing } = useEditorView();
  const container = useRef<HTMLDivElement>(null);
  useFocusStageWhilePlacing(container, placing);
  const panel = useRef<HTMLElement>(null);
  useKeptFocus(panel);
  const { search, hash } = useLocation();
  const openPanel = new URLSearchParams(search).get("panel");
  const lastOpenPanel = useRef(openPanel);
  useEffect(() => {
    if (lastOpenPanel.current !== openPanel && hash === "") panel.current?.scrollTo(0, 0);
    lastOpenPanel.current = openPanel;
  }, [openPanel, hash]);
  /** Error of the space on the stage; "none" once it is displayed, null while it loads. */
  const [stageProblem, setStageProblem] = useState<ViewerErrorCode | "none" | null>(null);
  const instructionKey = scene.source.kind === "showcase" ? "pointingShowcase" : "pointing";
  const isStageVisible = isStageShown || placing !== null;
  // While a place is chosen on an upright phone, the space takes most of the screen.
  const gridRows = placing
    ? "grid-rows-[75%_25%]"
    : isStageShown
      ? "grid-rows-[30%_70%]"
      : "grid-rows-[100%] max-lg:portrait:[&>section]:hidden";
  return (
    <div
      ref={container}
      className={`relative grid h-[calc(100dvh-3.5rem)] min-h-80 grid-cols-1 ${gridRows} bg-paper lg:grid-cols-[minmax(0,1fr)_28rem] lg:grid-rows-1 landscape:max-lg:grid-cols-[minmax(0,1fr)_22rem] landscape:max-lg:grid-rows-1 noscript:max-lg:portrait:h-auto noscript:max-lg:portrait:grid-rows-[16rem_auto]`}
    >
      <div role="status" className="absolute z-20 empty:sr-only">
        {placing && (
          <p className="m-2 flex max-w-lg items-center gap-2 rounded-lg bg-ink pl-4 text-sm text-paper shadow-raised lg:pointer-fine:m-3 lg:pointer-fine:py-1 lg:pointer-fine:pr-1">
            <span className="hidden py-1 text-phrase lg:pointer-fine:inline">
              {t(`content:place.${instructionKey}`)}
            </span>
            <span className="text-phrase lg:pointer-fine:hidden">
              {t(`content:place.tap.${instructionKey}`)}
            </span>
            <IconButton
              icon="close"
              label={t("content:place.cancel")}
              onClick={() => onPlacing(null)}
              className="hidden! text-paper hover:bg-paper/15 lg:pointer-fine:inline-flex!"
            />
            <Button
              variant="quiet"
              onClick={() => onPlacing(null)}
              className="min-h-11! text-paper underline hover:bg-paper/15 lg:pointer-fine:hidden!"
            >
              {t("content:place.cancel")}
            </Button>
          </p>
        )}
        {!placing && hasPlaced && (
          <p className="pointer-events-none m-2 flex items-center gap-2 rounded-lg bg-ink px-4 py-2 text-sm text-paper shadow-raised">
            <Icon name="check" size={16} />
            {t("content:place.placed")}
          </p>
        )}
      </div>
      <Viewer
        blank={<EmptyRoom />}
        ref={stage}
        source={scene.source}
        poster={scene.poster}
        title={title}
        pins={pins}
        media={media}
        tool={placing ? "place" : "look"}
        editable={editor !== null}
        openPinId={accessibleList.openPinId}
        focusedPinId={accessibleList.focusedPinId}
        onOpenPin={accessibleList.openPin}
        placedPinId={placedPinId}
        onPlace={onPlace}
        onDrag={onDrag}
        onConnection={onConnection}
        onError={(code) => {
          onConnection("silent");
          onFailed(true);
          setStageProblem(code);
        }}
        onReady={() => {
          onFailed(false);
          setStageProblem("none");
        }}
        initialViewpoint={initialViewpoint}
        fullscreenTarget={container}
        compact
        icon={stageIcon}
      />
      <main
        ref={panel}
        id="main"
        tabIndex={-1}
        aria-label={t("content:panels.label")}
        className={`relative z-10 flex scroll-pt-36 flex-col overflow-y-auto overscroll-contain *:shrink-0 border-line bg-paper lg:border-l noscript:max-lg:portrait:overflow-visible ${isStageVisible ? "max-lg:portrait:-mt-4 max-lg:portrait:rounded-t-lg" : ""}`}
      >
        <div className="px-4 pt-3 empty:hidden sm:px-6">
          {stageProblem === "load_failed" && <SourceFaultNotice source={scene.source} spaceId={spaceId} />}
          {(stageProblem === "none" || stageProblem === "too_large") && (
            <TriangleCountNotice source={scene.source} spaceId={spaceId} />
          )}
        </div>
        {children}
      </main>
    </div>
  );
}
