import { memo } from "react";
import type { Vec3 } from "~/domain/shared/model";

/** Item of the space, or the current viewpoint of the stage, on the floor plan. */
export interface PlanItem {
  readonly id: string;
  readonly title: string;
  /** Null for the current viewpoint. */
  readonly color: string | null;
  readonly position: Vec3;
}

export interface PlanMarkProps {
  readonly id: string;
  readonly title: string;
  /** Null for the current viewpoint. */
  readonly color: string | null;
  /** Position as a share of the image. */
  readonly left: number;
  readonly top: number;
  readonly isOutside: boolean;
  readonly isAligned: boolean;
  /** Viewing direction of the current viewpoint on the image, in radians clockwise from its top. */
  readonly direction?: number;
  /** True for the movable marker in the tab order, false for other movable markers; null if markers cannot be moved. */
  readonly isTabStop: boolean | null;
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** Marker on the plan. A movable marker is a button that is dragged or moved by keyboard. It is memoized because a plan can have a thousand markers. */
export const PlanMark = memo(function PlanMark(props: PlanMarkProps) {
  const { id, title, color, left, top, isOutside, isAligned, direction = 0, isTabStop } = props;
  const outline = isAligned ? "outline-3 outline-offset-1 outline-accent" : "";
  const icon = color ? (
    <span
      aria-hidden="true"
      style={{ backgroundColor: color }}
      className={`size-4 rounded-full border-2 border-[#fff] shadow-raised ${outline} ${isOutside ? "opacity-50" : ""}`}
    />
  ) : (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="24"
      height="24"
      className={isOutside ? "opacity-50" : ""}
      style={{ rotate: `${direction}rad` }}
    >
      <path d="m12 3 7 17-7-4-7 4z" fill="var(--accent)" stroke="#fff" strokeWidth="1.5" />
    </svg>
  );
  const style = { left: percent(left), top: percent(top) };
  const className = "absolute grid size-10 -translate-1/2 place-items-center rounded-full";
  return isTabStop === null ? (
    <span role="img" aria-label={title} title={title} style={style} className={className}>
      {icon}
    </span>
  ) : (
    <button
      type="button"
      data-mark={id}
      title={title}
      aria-label={title}
      aria-pressed={isAligned}
      tabIndex={isTabStop ? 0 : -1}
      style={style}
      className={`${className} cursor-grab touch-none active:cursor-grabbing focus-visible:z-10 ${isTabStop ? "z-1" : ""}`}
    >
      {icon}
    </button>
  );
});
