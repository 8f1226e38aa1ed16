import type { Vec3 } from "~/domain/model";
import { useTranslation } from "~/i18n/use-translation";
import type { MapMark } from "./page.server";

const WIDTH = 480;
const HEIGHT_MAX = 320;
const EDGE = 24;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points of the space from above, −z at the top, as large as the picture allows. */
function layOut(points: readonly Vec3[]) {
  const [xs, zs] = [points.map(([x]) => x), points.map(([, , z]) => z)];
  const [left, top] = [Math.min(...xs), Math.min(...zs)];
  const [width, depth] = [Math.max(...xs) - left, Math.max(...zs) - top];
  const scale = Math.min(
    (WIDTH - 2 * EDGE) / Math.max(width, 0.5),
    (HEIGHT_MAX - 2 * EDGE) / Math.max(depth, 0.5),
  );
  const shift = (WIDTH - width * scale) / 2;
  return {
    height: Math.round(depth * scale + 2 * EDGE),
    at: ([x, , z]: Vec3): Point => ({
      x: Math.round(shift + (x - left) * scale),
      y: Math.round(EDGE + (z - top) * scale),
    }),
  };
}

/** Where things were added, moved and removed. The list below it says the same in words. */
export function MapPicture({
  marks,
  still,
}: {
  readonly marks: readonly MapMark[];
  readonly still: readonly Vec3[];
}) {
  const { t } = useTranslation();
  if (marks.length === 0) return null;
  const points = [...still, ...marks.flatMap(({ from, to }) => both(from, to))];
  const { height, at } = layOut(points);
  return (
    <svg
      role="img"
      aria-label={t("history.map")}
      viewBox={`0 0 ${WIDTH} ${height}`}
      className="w-full max-w-120 rounded border border-line bg-surface"
    >
      {still.map((point) => {
        const { x, y } = at(point);
        return <circle key={`${x} ${y}`} cx={x} cy={y} r="3" className="fill-faint" />;
      })}
      {marks.map(({ kind, from, to }) => (
        <Mark key={JSON.stringify([kind, from, to])} kind={kind} from={from && at(from)} to={to && at(to)} />
      ))}
    </svg>
  );
}

const both = (...points: readonly (Vec3 | null)[]) => points.filter((point) => point !== null);

function Mark({
  kind,
  from,
  to,
}: {
  readonly kind: MapMark["kind"];
  readonly from: Point | null;
  readonly to: Point | null;
}) {
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
