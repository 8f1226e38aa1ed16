/** Layout of the map of visitors' positions, in metres from the left and top of the map. */
import type { ReportPlaces } from "#functions/services/analytics/reports";
import { findOnMap, type MapFrame, mapAround, toMapPoint } from "~/domain/content/plan-map";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang, Vec3 } from "~/domain/shared/model";

export interface HeatPlan {
  readonly frame: MapFrame;
  readonly image: string;
}

/** Named position in the space. */
export interface Landmark {
  readonly id: string;
  readonly name: string;
  readonly position: Vec3;
}

/** Place where visitors stayed: a node of a panorama, or a cell (a square of the space, seen from above). */
export interface HeatSpot {
  readonly x: number;
  readonly y: number;
  /** Position in the space: metres along x and z. */
  readonly spacePosition: readonly [x: number, z: number];
  /** Title of a panorama's node; null for a node without a title, and for a cell. */
  readonly name: string | null;
  /** Name of the landmark nearest to a cell; null if none is near, and for a node. */
  readonly nearestLandmark: string | null;
  /** Corners of a cell, as the points of an SVG polygon; null for a node, which is rendered as a circle. */
  readonly corners: string | null;
  /** Time relative to the longest stay, 0…1, on a square-root scale. */
  readonly strength: number;
  readonly seconds: number;
  /** Rank in the table beside the map, from 1; null if the table does not contain it. */
  readonly rank: number | null;
}

export interface HeatMapData {
  readonly width: number;
  readonly height: number;
  readonly image: string | null;
  readonly spots: readonly HeatSpot[];
  /** Tags that visitors opened, at their places. */
  readonly pins: readonly {
    readonly id: string;
    readonly x: number;
    readonly y: number;
    readonly name: string;
    readonly count: number;
    /** Relative to the most opened tag, 0…1, on a square-root scale. */
    readonly strength: number;
  }[];
  /** Seconds at positions that are unknown or outside the map. */
  readonly unmappedSeconds: number;
}

/** Maximum number of ranked spots in the table. */
const RANKED_MAX = 10;
/** Share of the time at known positions that a map without a plan shows. If it showed all, a short stay far away would make everything else small. */
const MAPPED_SHARE = 0.99;
/** Maximum number of tags on a map. */
const PINS_MAX = 20;
/** Margin around the positions on a map without a plan, in metres. */
const MARGIN = 2;

/** Distance within which a landmark names a position, in metres. */
const LANDMARK_DISTANCE = 4;

const round = (value: number) => Math.round(value * 1000) / 1000;

/** Lays out the map. Returns null if there is no position to display. */
export function drawHeat(
  places: ReportPlaces,
  plan: HeatPlan | null,
  lang: Lang,
  {
    landmarks = [],
    openedTags = [],
  }: {
    readonly landmarks?: readonly Landmark[];
    readonly openedTags?: readonly { readonly id: string; readonly count: number }[];
  } = {},
): HeatMapData | null {
  const positions = [
    ...places.nodes.map(({ title, position, seconds }) => ({
      position,
      seconds,
      isCell: false,
      name: inLanguage(title, lang).text || null,
    })),
    ...mergeCellsByColumn(places).map((cell) => ({ ...cell, isCell: true, name: null })),
  ].sort((a, b) => b.seconds - a.seconds);
  const frame =
    plan?.frame ??
    mapAround(
      selectLongestDwellTimes(positions).map(({ position }) => position),
      MARGIN,
    );
  const mappedPositions = frame ? positions.filter(({ position }) => findOnMap(position, frame)) : [];
  const longestSeconds = mappedPositions[0]?.seconds;
  if (!frame || !longestSeconds) return null;
  const pointOnMap = (position: Vec3): readonly [number, number] => {
    const { left, top } = toMapPoint(position, frame);
    return [round(left * frame.width), round(top * frame.height)];
  };
  const halfCell = places.cellSize / 2;
  const totalSeconds = [...positions, { seconds: places.elsewhere }].reduce(
    (sum, { seconds }) => sum + seconds,
    0,
  );
  return {
    width: frame.width,
    height: frame.height,
    image: plan?.image ?? null,
    spots: mappedPositions.map(({ position, seconds, name, isCell }, index) => {
      const [x, y] = pointOnMap(position);
      const [px, py, pz] = position;
      const corners = [
        [px - halfCell, py, pz - halfCell],
        [px + halfCell, py, pz - halfCell],
        [px + halfCell, py, pz + halfCell],
        [px - halfCell, py, pz + halfCell],
      ] as const;
      return {
        x,
        y,
        name,
        seconds,
        spacePosition: [px, pz] as const,
        nearestLandmark: isCell ? nearestLandmark(position, landmarks) : null,
        corners: isCell ? corners.map((corner) => pointOnMap(corner).join(",")).join(" ") : null,
        // Visitors spend most time at the entrance; the square root keeps shorter stays visible.
        strength: round(Math.sqrt(seconds / longestSeconds)),
        rank: index < RANKED_MAX ? index + 1 : null,
      };
    }),
    pins: pinsOf(landmarks, openedTags).flatMap(({ position, ...pin }) => {
      if (!findOnMap(position, frame)) return [];
      const [x, y] = pointOnMap(position);
      return [{ ...pin, x, y }];
    }),
    unmappedSeconds: totalSeconds - mappedPositions.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

/** The positions with the longest stays that together make up MAPPED_SHARE of the time. */
function selectLongestDwellTimes<P extends { readonly seconds: number }>(
  positions: readonly P[],
): readonly P[] {
  const minimumSeconds = MAPPED_SHARE * positions.reduce((sum, { seconds }) => sum + seconds, 0);
  let sum = 0;
  return positions.filter(({ seconds }) => {
    const isNeeded = sum < minimumSeconds;
    sum += seconds;
    return isNeeded;
  });
}

/** The most opened tags with a place. */
function pinsOf(
  landmarks: readonly Landmark[],
  openedTags: readonly { readonly id: string; readonly count: number }[],
) {
  const maxCount = Math.max(1, ...openedTags.map(({ count }) => count));
  return openedTags
    .flatMap(({ id, count }) => {
      const landmark = landmarks.find((candidate) => candidate.id === id);
      return landmark ? [{ ...landmark, count, strength: round(Math.sqrt(count / maxCount)) }] : [];
    })
    .slice(0, PINS_MAX);
}

function nearestLandmark([x, , z]: Vec3, landmarks: readonly Landmark[]): string | null {
  let bestDistance = LANDMARK_DISTANCE;
  let name: string | null = null;
  for (const landmark of landmarks) {
    const distance = Math.hypot(landmark.position[0] - x, landmark.position[2] - z);
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    ({ name } = landmark);
  }
  return name;
}

/** Adds up the cells above each other, as seen from above. */
function mergeCellsByColumn({ cells }: ReportPlaces): { position: Vec3; seconds: number }[] {
  const sums = new Map<string, { position: Vec3; seconds: number }>();
  for (const { position, seconds } of cells) {
    const key = `${position[0]} ${position[2]}`;
    const sum = sums.get(key);
    if (sum) sum.seconds += seconds;
    else sums.set(key, { position, seconds });
  }
  return [...sums.values()];
}
