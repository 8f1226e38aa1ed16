import type { SourceKind } from "~/domain/shared/model";

/** Profile of a vase that is drawn with splats: distances from its axis, from the bottom upwards, in units of the drawing. */
const VASE_PROFILE = [26, 34, 42, 47, 48, 45, 38, 28, 19, 14, 13, 17] as const;

const splats = VASE_PROFILE.flatMap((radius, row) =>
  Array.from({ length: 9 }, (_, column) => {
    const angle = ((column + (row % 2) / 2) / 9) * Math.PI * 2;
    const depth = (Math.sin(angle) + 1) / 2;
    return {
      x: Math.round(160 + Math.cos(angle) * radius),
      y: Math.round(148 - row * 10 + Math.sin(angle) * 5),
      r: Math.round(4 + depth * 5),
      opacity: 0.2 + depth * 0.6,
    };
  }),
);

const DRAWINGS: Readonly<Record<SourceKind | "sample", () => React.ReactNode>> = {
  model: () => (
    <>
      <path d="M160 26 262 74v58l-102 42-102-42V74z" className="fill-paper stroke-edge" />
      <path d="M58 132 160 90l102 42-102 42z" className="fill-accent/15 stroke-edge" />
      <path d="M160 26v64M58 74l102-48 102 48" className="fill-none stroke-edge" />
      <path d="m86 82 44-20v28l-44 20zM190 62l44 20v28l-44-20z" className="fill-accent/60" />
      <path d="m138 138 22-9 22 9-22 9z" className="fill-accent" />
    </>
  ),
  panorama: () => (
    <>
      <circle cx="160" cy="90" r="62" className="fill-paper stroke-edge" />
      <path d="M99 101c20-14 34 6 54-10s40-8 67 8a62 62 0 0 1-121 2z" className="fill-accent/60" />
      <circle cx="186" cy="62" r="9" className="fill-accent/30" />
      <ellipse cx="160" cy="90" rx="62" ry="20" className="fill-none stroke-edge" />
      <ellipse cx="160" cy="90" rx="24" ry="62" className="fill-none stroke-edge" />
      <path d="M62 118c-22 30 60 46 98 46s120-16 98-46" className="fill-none stroke-accent" />
      <path d="m250 116 9 1 1 10" className="fill-none stroke-accent" />
    </>
  ),
  splat: () => (
    <>
      <ellipse cx="160" cy="156" rx="70" ry="10" className="fill-edge/30" />
      {splats.map(({ x, y, r, opacity }) => (
        <ellipse
          key={`${x} ${y}`}
          cx={x}
          cy={y}
          rx={r}
          ry={r * 0.7}
          opacity={opacity}
          className="fill-accent"
        />
      ))}
    </>
  ),
  showcase: () => (
    <>
      <path d="M70 42h180v104H70z" className="fill-paper stroke-edge" />
      <path d="M70 96h62m28 0h90M160 42v20m0 26v8m0 22v28" className="fill-none stroke-edge" />
      {[
        [100, 70],
        [128, 122],
        [196, 66],
        [206, 120],
      ].map(([cx, cy]) => (
        <g key={cx}>
          <ellipse cx={cx} cy={cy} rx="15" ry="8" className="fill-accent/15 stroke-accent" />
          <circle cx={cx} cy={cy} r="3" className="fill-accent" />
        </g>
      ))}
    </>
  ),
  sample: () => (
    <>
      <path d="M0 0h320v126H0z" className="fill-paper" />
      <path d="M0 126h320v54H0z" className="fill-accent/10" />
      <path d="M0 126h320" className="stroke-edge" />
      <path d="M52 44h56v48H52zM132 44h56v48h-56zM212 44h56v48h-56z" className="fill-paper stroke-ink" />
      <path d="M62 54h36v28H62z" className="fill-accent/70" />
      <path d="M142 54h36v28h-36z" className="fill-danger/60" />
      <path d="M222 54h36v28h-36z" className="fill-status-published/60" />
      <path d="M116 138h88v7h-88zM124 145h6v16h-6zM190 145h6v16h-6z" className="fill-ink/60" />
      <path d="M40 0h48v6H40zM136 0h48v6h-48zM232 0h48v6h-48z" className="fill-accent/25" />
    </>
  ),
};

/** Drawing of a kind of source, for the choice of a new space. */
export function SourceImage({ kind }: { readonly kind: SourceKind | "sample" }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 320 180"
      strokeWidth="1.5"
      className="aspect-picture w-full rounded-t bg-surface"
    >
      {DRAWINGS[kind]()}
    </svg>
  );
}
