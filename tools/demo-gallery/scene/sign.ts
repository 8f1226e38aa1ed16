/** Letters of the demo: capitals and digits as strokes on a grid one unit high. */

type Point = readonly [x: number, y: number];
/** A straight line of a letter. */
export type Stroke = readonly [from: Point, to: Point];

/**
 * Returns points of an arc of an ellipse around (cx, cy).
 * @param from first angle in degrees, counterclockwise from the x axis
 * @param to last angle
 */
function arc(cx: number, cy: number, rx: number, ry: number, from: number, to: number, parts = 14): Point[] {
  return Array.from({ length: parts + 1 }, (_, i): Point => {
    const angle = ((from + ((to - from) * i) / parts) * Math.PI) / 180;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
  });
}

/** Width and lines of each glyph; y runs from 0 (baseline) to 1. */
const glyphs: Readonly<Record<string, readonly [width: number, lines: readonly (readonly Point[])[]]>> = {
  H: [
    0.72,
    [
      [
        [0, 0],
        [0, 1],
      ],
      [
        [0.72, 0],
        [0.72, 1],
      ],
      [
        [0, 0.5],
        [0.72, 0.5],
      ],
    ],
  ],
  I: [
    0,
    [
      [
        [0, 0],
        [0, 1],
      ],
    ],
  ],
  R: [
    0.6,
    [
      [[0, 0], [0, 1], [0.32, 1], ...arc(0.32, 0.75, 0.26, 0.25, 90, -90), [0, 0.5]],
      [
        [0.32, 0.5],
        [0.6, 0],
      ],
    ],
  ],
  O: [1, [arc(0.5, 0.5, 0.5, 0.5, 0, 360, 36)]],
  B: [
    0.6,
    [
      [
        [0, 0.53],
        [0.31, 0.53],
        ...arc(0.31, 0.765, 0.235, 0.235, -90, 90),
        [0, 1],
        [0, 0],
        [0.33, 0],
        ...arc(0.33, 0.265, 0.265, 0.265, -90, 90),
        [0.31, 0.53],
      ],
    ],
  ],
  D: [0.74, [[[0, 0], [0, 1], [0.28, 1], ...arc(0.28, 0.5, 0.46, 0.5, 90, -90, 20), [0, 0]]]],
  E: [
    0.54,
    [
      [
        [0.54, 1],
        [0, 1],
        [0, 0],
        [0.54, 0],
      ],
      [
        [0, 0.52],
        [0.46, 0.52],
      ],
    ],
  ],
  G: [0.94, [[...arc(0.5, 0.5, 0.5, 0.5, 42, 360, 30), [0.58, 0.5]]]],
  N: [
    0.74,
    [
      [
        [0, 0],
        [0, 1],
        [0.74, 0],
        [0.74, 1],
      ],
    ],
  ],
  P: [0.58, [[[0, 0], [0, 1], [0.31, 1], ...arc(0.31, 0.74, 0.26, 0.26, 90, -90), [0, 0.48]]]],
  " ": [0.2, []],
  A: [
    0.84,
    [
      [
        [0, 0],
        [0.42, 1],
        [0.84, 0],
      ],
      [
        [0.14, 0.33],
        [0.7, 0.33],
      ],
    ],
  ],
  "0": [0.56, [arc(0.28, 0.5, 0.28, 0.5, 0, 360, 28)]],
  "1": [
    0.22,
    [
      [
        [0, 0.8],
        [0.22, 1],
        [0.22, 0],
      ],
    ],
  ],
  "2": [0.56, [[...arc(0.28, 0.72, 0.27, 0.28, 165, -35), [0, 0], [0.58, 0]]]],
  "3": [0.54, [[...arc(0.25, 0.76, 0.24, 0.24, 150, -90), ...arc(0.25, 0.26, 0.28, 0.26, 90, -150)]]],
  "4": [
    0.6,
    [
      [
        [0.45, 0],
        [0.45, 1],
        [0, 0.3],
        [0.62, 0.3],
      ],
    ],
  ],
  "5": [0.56, [[[0.5, 1], [0.1, 1], [0.05, 0.55], ...arc(0.25, 0.32, 0.29, 0.32, 118, -150)]]],
  "6": [0.56, [[[0.42, 1], ...arc(0.28, 0.3, 0.28, 0.3, 155, 515, 30)]]],
  "7": [
    0.56,
    [
      [
        [0, 1],
        [0.56, 1],
        [0.2, 0],
      ],
    ],
  ],
  "8": [0.56, [arc(0.28, 0.76, 0.23, 0.24, 0, 360, 26), arc(0.28, 0.26, 0.28, 0.26, 0, 360, 26)]],
  "9": [0.56, [[[0.14, 0], ...arc(0.28, 0.7, 0.28, 0.3, -25, -385, 30)]]],
};

/**
 * Returns the lines of a word, which begins at x = 0 on the baseline, and its width. Unknown letters are omitted.
 * @param gap distance between letters, relative to their height
 */
export function wordLines(
  word: string,
  gap = 0.42,
): { readonly lines: readonly (readonly Point[])[]; readonly width: number } {
  let x = 0;
  const lines: Point[][] = [];
  for (const character of word) {
    const glyph = glyphs[character];
    if (!glyph) continue;
    for (const line of glyph[1]) lines.push(line.map(([px, py]): Point => [x + px, py]));
    x += glyph[0] + gap;
  }
  return { lines, width: Math.max(0, x - gap) };
}

/** Returns the product's name in strokes, centred on a point; `height` in metres. */
export function signStrokes(centre: Point, height: number): Stroke[] {
  const { lines, width } = wordLines("HIROBA");
  const toWall = ([x, y]: Point): Point => [
    centre[0] + (x - width / 2) * height,
    centre[1] + (y - 0.5) * height,
  ];
  return lines.flatMap((line) =>
    line.slice(1).map((point, i): Stroke => [toWall(line[i] as Point), toWall(point)]),
  );
}
