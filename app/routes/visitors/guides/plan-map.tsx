import { type RefObject, useEffect, useState } from "react";
import { Button } from "~/components/button";
import { cx } from "~/components/cx";
import { findCrowded, findOnMap, type MapFrame, type MapPoint, mapAround } from "~/domain/content/plan-map";
import { useTranslation } from "~/i18n/translation";
import type { Vec3, ViewerHandle, Viewpoint } from "~/viewer/Viewer";
import { EntryLink } from "../list/entry-link";
import type { Scene } from "../scene/scene-types";
import { useLiveViewpoint } from "./use-live-viewpoint";

export interface PlanMapProps {
  readonly scene: Scene;
  readonly stage: RefObject<ViewerHandle>;
  readonly openPinId: string | null;
  readonly openPin: (id: string) => void;
  /** Query with only the parameters that open the page, such as the token. Links to entries on other pages of a long list contain it. */
  readonly pageQuery: string;
  /** Subscribes `listener` to the viewpoint at which the camera comes to rest; returns a function that unsubscribes it. */
  readonly follow: (listener: (viewpoint: Viewpoint) => void) => () => void;
}

/** A map: its position in the space, and its image if there is one. */
interface PlanImage {
  readonly frame: MapFrame;
  readonly image: string | null;
}

/** Plan of the space that the stage (the component that shows it in 3D) has drawn. */
interface CapturedPlan {
  readonly frame: MapFrame;
  readonly blob: Blob;
}

/** Margin around panoramas in metres, because the sizes of their rooms are unknown. */
const PANORAMA_MARGIN = 2;

/**
 * Map of the space with its pins, each a link to its entry in the list: the event's own plan, the positions of panoramas, or on demand the space
 * as the stage draws it.
 */
export default function PlanMap(props: PlanMapProps) {
  const { scene, stage, follow } = props;
  const { t } = useTranslation();
  const [isSettled, setSettled] = useState(false);
  const [captured, setCaptured] = useState<CapturedPlan | "none" | "busy" | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => follow(() => setSettled(true)), [follow]);
  // The object URL is created in this effect, because the drawing may arrive after the map was unmounted, and the URL would never be revoked.
  useEffect(() => {
    if (captured === null || typeof captured === "string") return;
    const objectUrl = URL.createObjectURL(captured.blob);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [captured]);

  const capturedPlan =
    captured !== null && typeof captured === "object" ? { frame: captured.frame, image: url } : null;
  const plan = eventPlan(scene) ?? capturedPlan;
  if (!plan && scene.source.kind !== "model" && scene.source.kind !== "splat") return null;
  const capture = async () => {
    setCaptured("busy");
    const planImage = await stage.current?.capturePlanImage().catch(() => null);
    if (!planImage) return setCaptured("none");
    const { center, width, height, blob } = planImage;
    setCaptured({ frame: { center, width, height, rotation: 0 }, blob });
  };
  return (
    <section
      aria-labelledby="plan-title"
      // Once the camera has stopped, the space is loaded and can be drawn. Until then, the place of the button is reserved.
      className={cx("grid gap-3", !plan && "needs-script", !plan && !isSettled && "invisible")}
    >
      <h2 id="plan-title" className="text-base font-semibold">
        {t("visitors-late:plan")}
      </h2>
      {plan ? (
        <PlanDrawing plan={plan} {...props} />
      ) : (
        <div className="grid gap-2">
          <Button icon="plan" onClick={() => void capture()} pending={captured === "busy"} className="w-fit">
            {t("visitors-late:planMake")}
          </Button>
          <p role="status" className="text-sm text-muted">
            {captured === "none" && t("visitors-late:planNone")}
          </p>
        </div>
      )}
    </section>
  );
}

/** The event's own plan, or else the positions of the space's panoramas; null for neither. */
function eventPlan({ plan, source }: Scene): PlanImage | null {
  if (plan) {
    const { center, width, rotation } = plan;
    return { frame: { center, width, height: width * plan.aspect, rotation }, image: plan.image };
  }
  if (source.kind !== "panorama" || source.nodes.length < 2) return null;
  const frame = mapAround(
    source.nodes.map(({ position }) => position as Vec3),
    PANORAMA_MARGIN,
  );
  return frame && { frame, image: null };
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
const positionStyle = ({ left, top }: MapPoint) => ({
  left: percent(left),
  top: percent(top),
});

function PlanDrawing(props: PlanMapProps & { readonly plan: PlanImage }) {
  const { plan, scene, stage, openPinId, openPin, pageQuery } = props;
  const { t } = useTranslation();
  const { frame, image } = plan;
  const pins = scene.pins.flatMap((pin) => {
    const point = findOnMap(pin.position, frame);
    return point ? [{ pin, point }] : [];
  });
  const nodes = scene.source.kind === "panorama" ? scene.source.nodes : [];
  const crowdedPins = findCrowded(pins, frame);
  return (
    <div
      className="relative w-full overflow-hidden rounded border border-line bg-surface"
      style={{ aspectRatio: frame.width / frame.height }}
    >
      {image && (
        <img
          src={image}
          alt={t("visitors-late:planOf", { count: pins.length })}
          loading="lazy"
          decoding="async"
          className="size-full object-fill"
        />
      )}
      {nodes.map((node) => {
        const point = findOnMap(node.position as Vec3, frame);
        return (
          point && (
            <span
              key={node.id}
              title={node.title}
              style={positionStyle(point)}
              className="absolute size-3 -translate-1/2 rounded-full border-2 border-muted bg-paper"
            />
          )
        );
      })}
      <ul className="plan-pins">
        {pins.map(({ pin, point }, index) => (
          <li key={pin.id} style={positionStyle(point)}>
            <EntryLink
              id={pin.id}
              scene={scene}
              pageQuery={pageQuery}
              title={pin.label}
              // If the URL already contains the entry, following the link alone has no effect.
              onClick={() => {
                if (pin.id !== openPinId) openPin(pin.id);
                else void stage.current?.goTo({ pinId: pin.id });
              }}
              className={crowdedPins.has(index) ? "crowded" : undefined}
              style={{ color: pin.color }}
            >
              {pin.label}
            </EntryLink>
          </li>
        ))}
      </ul>
      <VisitorMarker frame={frame} stage={stage} />
    </div>
  );
}

/** Current position and viewing direction of the visitor. */
function VisitorMarker({
  frame,
  stage,
}: {
  readonly frame: MapFrame;
  readonly stage: PlanMapProps["stage"];
}) {
  const { t } = useTranslation();
  const viewpoint = useLiveViewpoint(stage);
  const point = viewpoint && findOnMap(viewpoint.position, frame);
  return (
    point && (
      <span
        role="img"
        aria-label={t("visitors-late:planHere")}
        style={{ ...positionStyle(point), rotate: `${frame.rotation - viewpoint.yaw}rad` }}
        className="pointer-events-none absolute -translate-1/2"
      >
        <svg aria-hidden="true" viewBox="0 0 24 24" width="24" height="24">
          <path d="m12 3 7 17-7-4-7 4z" fill="var(--accent)" stroke="#fff" strokeWidth="1.5" />
        </svg>
      </span>
    )
  );
}
