import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { linkedNodeIds, type NodeValues } from "~/domain/spaces/space-source-form";
import { useTranslation } from "~/i18n/translation";

export interface PanoramaPlanProps {
  readonly nodes: readonly NodeValues[];
  readonly titleOf: (node: NodeValues) => string;
  readonly onMove: (row: number, position: Pick<NodeValues, "nodeX" | "nodeZ">) => void;
}

/** Distance by which an arrow key moves a panorama, in metres: `far` with Shift. */
const STEP_METRES = { far: 1, near: 0.1 } as const;
/** Margin around the panoramas, in metres. */
const MARGIN_METRES = 3;
/** Length of the line that shows the direction of a panorama, in metres. */
const ARROW_METRES = 1.2;

const DIRECTIONS: Readonly<Record<string, readonly [x: number, z: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Visible part of the plan, in metres. `x` and `z` are its left and its top edge. */
interface Frame {
  readonly x: number;
  readonly z: number;
  readonly width: number;
  readonly height: number;
}

const toNumber = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : 0);
const formatMetres = (value: number) => String(Math.round(value * 100) / 100);

/** A 16:9 frame around all panoramas. */
function createFrame(nodes: readonly NodeValues[]): Frame {
  const xs = nodes.map(({ nodeX }) => toNumber(nodeX));
  const zs = nodes.map(({ nodeZ }) => toNumber(nodeZ));
  const [left, right] = [Math.min(...xs) - MARGIN_METRES, Math.max(...xs) + MARGIN_METRES];
  const [top, bottom] = [Math.min(...zs) - MARGIN_METRES, Math.max(...zs) + MARGIN_METRES];
  const width = Math.max(right - left, ((bottom - top) * 16) / 9);
  const height = (width * 9) / 16;
  return { x: (left + right - width) / 2, z: (top + bottom - height) / 2, width, height };
}

/**
 * Panoramas from above, with links and directions. They are dragged, or moved by arrow keys; the fields below contain the same values. An image
 * of a plan can be displayed behind it; it is not saved.
 */
export function PanoramaPlan({ nodes, titleOf, onMove }: PanoramaPlanProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLFieldSetElement>(null);
  const [drag, setDrag] = useState<{ readonly row: number; readonly frame: Frame } | null>(null);
  const [image, setImage] = useState<string | null>(null);
  useEffect(() => () => void (image && URL.revokeObjectURL(image)), [image]);
  // The frame stays fixed during a drag.
  const frame = drag?.frame ?? createFrame(nodes);
  const toCssPosition = (x: number, z: number) => ({
    left: `${((x - frame.x) / frame.width) * 100}%`,
    top: `${((z - frame.z) / frame.height) * 100}%`,
  });

  const onPointerMove = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (!drag || !box) return;
    const x = frame.x + ((event.clientX - box.left) / box.width) * frame.width;
    const z = frame.z + ((event.clientY - box.top) / box.height) * frame.height;
    onMove(drag.row, { nodeX: formatMetres(x), nodeZ: formatMetres(z) });
  };
  const onKeyDown = (event: KeyboardEvent, row: number) => {
    const direction = DIRECTIONS[event.key];
    const node = nodes[row];
    if (!direction || !node) return;
    event.preventDefault();
    const step = event.shiftKey ? STEP_METRES.far : STEP_METRES.near;
    onMove(row, {
      nodeX: formatMetres(toNumber(node.nodeX) + direction[0] * step),
      nodeZ: formatMetres(toNumber(node.nodeZ) + direction[1] * step),
    });
  };
  const links = nodes.flatMap((node, row) =>
    nodes
      .slice(row + 1)
      .flatMap((otherNode) =>
        linkedNodeIds(node).includes(otherNode.nodeId) || linkedNodeIds(otherNode).includes(node.nodeId)
          ? [[node, otherNode] as const]
          : [],
      ),
  );
  return (
    <figure className="grid gap-2">
      <fieldset
        ref={area}
        aria-label={t("spaces:sources.plan")}
        className="relative min-w-0 aspect-video w-full touch-none overflow-hidden rounded border border-line bg-surface bg-cover bg-center"
        style={image ? { backgroundImage: `url(${image})` } : undefined}
      >
        <svg
          aria-hidden="true"
          focusable="false"
          viewBox={`${frame.x} ${frame.z} ${frame.width} ${frame.height}`}
          className="absolute inset-0 size-full text-accent"
          fill="none"
          stroke="currentColor"
          strokeWidth={frame.width / 300}
        >
          {links.map(([a, b]) => (
            <line
              key={`${a.nodeId} ${b.nodeId}`}
              x1={toNumber(a.nodeX)}
              y1={toNumber(a.nodeZ)}
              x2={toNumber(b.nodeX)}
              y2={toNumber(b.nodeZ)}
            />
          ))}
          {nodes.map((node) => {
            const yaw = (toNumber(node.nodeHeading) * Math.PI) / 180;
            const [x, z] = [toNumber(node.nodeX), toNumber(node.nodeZ)];
            return (
              <line
                key={node.nodeId}
                x1={x}
                y1={z}
                x2={x - Math.sin(yaw) * ARROW_METRES}
                y2={z - Math.cos(yaw) * ARROW_METRES}
                className="text-ink"
                stroke="currentColor"
              />
            );
          })}
        </svg>
        {nodes.map((node, row) => (
          <button
            key={node.nodeId}
            type="button"
            aria-label={t("spaces:sources.planNode", {
              number: row + 1,
              title: titleOf(node),
              x: node.nodeX,
              z: node.nodeZ,
            })}
            title={titleOf(node)}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDrag({ row, frame });
            }}
            onPointerMove={onPointerMove}
            onPointerUp={() => setDrag(null)}
            onPointerCancel={() => setDrag(null)}
            onKeyDown={(event) => onKeyDown(event, row)}
            className="absolute grid size-10 -translate-1/2 cursor-grab touch-none place-items-center rounded-full active:cursor-grabbing"
            style={toCssPosition(toNumber(node.nodeX), toNumber(node.nodeZ))}
          >
            <span className="grid size-7 place-items-center rounded-full bg-accent text-xs font-semibold text-accent-ink tabular-nums">
              {row + 1}
            </span>
          </button>
        ))}
      </fieldset>
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted text-phrase">
        <span>{t("spaces:sources.planHint")}</span>
        <label className="flex min-h-10 items-center gap-2">
          {t("spaces:sources.planImage")}
          <input
            type="file"
            accept="image/*"
            className="min-h-10 max-w-60 file:min-h-10"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              setImage(file ? URL.createObjectURL(file) : null);
            }}
          />
        </label>
      </figcaption>
    </figure>
  );
}
