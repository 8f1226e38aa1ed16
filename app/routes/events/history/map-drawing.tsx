import { toMapPoint } from "~/domain/content/plan-map";
import type { Vec3 } from "~/domain/shared/model";
import { createNearCheck } from "~/domain/spaces/near-check";
import { useTranslation } from "~/i18n/translation";
import { gridStep, NAME_OFFSET, placeNames } from "./map-names";
import type { MapMark, StateViewData } from "./page.server";

/** Size and margin of the drawing, in units of its view box. The height depends on the points. */
const WIDTH = 480;
const HEIGHT_MAX = 320;
const MARGIN = 24;

interface Point {
  readonly x: number;
  readonly y: number;
}
type Plan = NonNullable<StateViewData["map"]["plan"]>;

/** Clamps a coordinate so that a marker fits between the edges; in the drawing's units. */
const clamp = (position: number, size: number) => Math.min(Math.max(position, MARGIN / 2), size - MARGIN / 2);

const nearValues = (values: readonly number[]) => values.filter(createNearCheck(values));

/** Projects points and the floor plan from above, at the largest scale that fits the drawing. Points far outside of the space are moved to an edge. */
export function projectToMap(points: readonly Vec3[], plan: Plan | null) {
  // The drawing is aligned with the floor plan; without a plan, −z points up.
  const projectPoint = (point: Vec3): Point => {
    if (!plan) return { x: point[0], y: point[2] };
    const { left, top } = toMapPoint(point, plan.frame);
    return { x: left * plan.frame.width, y: top * plan.frame.height };
  };
  const corners = plan
    ? [
        { x: 0, y: 0 },
        { x: plan.frame.width, y: plan.frame.height },
      ]
    : [];
  const projected = [...points.map(projectPoint), ...corners];
  const [xs, ys] = [nearValues(projected.map(({ x }) => x)), nearValues(projected.map(({ y }) => y))];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(width, 0.5),
    (HEIGHT_MAX - 2 * MARGIN) / Math.max(height, 0.5),
  );
  const leftOffset = (WIDTH - width * scale) / 2;
  const toDrawing = ({ x, y }: Point): Point => ({
    x: Math.round(leftOffset + (x - left) * scale),
    y: Math.round(MARGIN + (y - top) * scale),
  });
  const totalHeight = Math.round(height * scale + 2 * MARGIN);
  const clampPoint = ({ x, y }: Point): Point => ({ x: clamp(x, WIDTH), y: clamp(y, totalHeight) });
  return {
    height: totalHeight,
    scale,
    /** Position of the space's origin, through which the grid goes. */
    origin: toDrawing(projectPoint([0, 0, 0])),
    project: (point: Vec3) => clampPoint(toDrawing(projectPoint(point))),
    plan: plan && {
      ...toDrawing({ x: 0, y: 0 }),
      width: Math.round(plan.frame.width * scale),
      height: Math.round(plan.frame.height * scale),
    },
  };
}

/**
 * Drawing of the added, moved and removed items and the unchanged tags: on the state's floor plan if there is one, otherwise on a grid in metres. The
 * list below it contains the changed items under the same numbers.
 */
export function MapDrawing({ marks, unchanged, plan }: StateViewData["map"]) {
  const { t } = useTranslation();
  if (marks.length === 0) return null;
  const points = [
    ...unchanged.map(({ position }) => position),
    ...marks.flatMap(({ from, to }) => withoutNulls(from, to)),
  ];
  const projection = projectToMap(points, plan);
  const { height, project, plan: planPlacement } = projection;
  const markedPoints = marks.flatMap(({ number, name, from, to }) => {
    const [point] = withoutNulls(to, from);
    return point ? [{ ...project(point), number: String(number), name }] : [];
  });
  const unchangedPoints = unchanged.map(({ name, position }) => ({ ...project(position), number: "", name }));
  const namedPoints = [...markedPoints, ...unchangedPoints];
  const placedNames = placeNames(namedPoints, WIDTH);
  return (
    <svg
      role="img"
      aria-label={t("events:history.map")}
      viewBox={`0 0 ${WIDTH} ${height}`}
      className="w-full max-w-120 rounded border border-line bg-surface"
    >
      {plan && planPlacement ? (
        <image href={plan.image} {...planPlacement} preserveAspectRatio="none" className="opacity-60" />
      ) : (
        <Grid {...projection} />
      )}
      {unchangedPoints.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="3" className="fill-faint" />
      ))}
      {marks.map(({ number, kind, from, to }) => (
        <MarkShape key={number} kind={kind} from={from && project(from)} to={to && project(to)} />
      ))}
      {namedPoints.map(({ x, y, number }, index) => {
        const placedName = placedNames[index];
        return (
          placedName && (
            // The outline keeps the text readable on any plan.
            <text
              key={`${x} ${y} ${number}`}
              x={x + placedName.side * NAME_OFFSET}
              y={y + 4}
              textAnchor={placedName.side < 0 ? "end" : "start"}
              paintOrder="stroke"
              strokeWidth="4"
              className={`stroke-paper text-xs tabular-nums ${number ? "fill-ink font-semibold" : "fill-muted"}`}
            >
              {placedName.text}
            </text>
          )
        );
      })}
    </svg>
  );
}

/** Grid of lines in metres, with the distance between two lines. */
function Grid({
  height,
  scale,
  origin,
}: Pick<ReturnType<typeof projectToMap>, "height" | "scale" | "origin">) {
  const { t } = useTranslation();
  const step = gridStep(scale);
  const lineDistance = step * scale;
  const lines = (start: number, end: number) => {
    const firstLine = start - Math.floor(start / lineDistance) * lineDistance;
    return Array.from({ length: Math.max(0, Math.ceil((end - firstLine) / lineDistance)) }, (_, index) =>
      Math.round(firstLine + index * lineDistance),
    );
  };
  return (
    <g>
      <path
        d={[
          ...lines(origin.x, WIDTH).map((x) => `M${x} 0V${height}`),
          ...lines(origin.y, height).map((y) => `M0 ${y}H${WIDTH}`),
        ].join("")}
        className="stroke-line"
      />
      <path
        d={`M8 ${height - 12}v4h${Math.round(lineDistance)}v-4`}
        fill="none"
        strokeWidth="1.5"
        className="stroke-muted"
      />
      <text x={8 + Math.round(lineDistance) + 6} y={height - 6} className="fill-muted text-xs tabular-nums">
        {t("visitors:viewer.metres", { metres: String(step) })}
      </text>
    </g>
  );
}

const withoutNulls = (...points: readonly (Vec3 | null)[]) => points.filter((point) => point !== null);

interface MarkProps extends Pick<MapMark, "kind"> {
  readonly from: Point | null;
  readonly to: Point | null;
}

function MarkShape({ kind, from, to }: MarkProps) {
  if (kind === "moved" && from && to) {
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const wing = (turn: number) =>
      `${(to.x - 9 * Math.cos(angle + turn)).toFixed(1)} ${(to.y - 9 * Math.sin(angle + turn)).toFixed(1)}`;
    return (
      <g className="stroke-accent" fill="none" strokeWidth="2">
        <circle cx={from.x} cy={from.y} r="4" />
        <path d={`M${from.x} ${from.y}L${to.x} ${to.y}M${wing(0.5)}L${to.x} ${to.y}L${wing(-0.5)}`} />
      </g>
    );
  }
  const point = to ?? from;
  if (!point) return null;
  const { x, y } = point;
  return kind === "added" ? (
    <g className="stroke-success" fill="none" strokeWidth="2">
      <circle cx={x} cy={y} r="8" className="fill-paper" />
      <path d={`M${x - 4} ${y}h8M${x} ${y - 4}v8`} />
    </g>
  ) : (
    <g className="stroke-danger" fill="none" strokeWidth="2">
      <circle cx={x} cy={y} r="8" className="fill-paper" />
      <path d={`M${x - 4} ${y}h8`} />
    </g>
  );
}
