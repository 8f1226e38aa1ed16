/** Not in limits.ts, which is part of the script that visitors load before 3D. */

/** Gaussians of a splat: more fit into no computer's browser (about 40 bytes of each reach its graphics memory). */
export const SPLATS_MAX = 6_000_000;
