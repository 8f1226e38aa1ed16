/** This limit is not in limits.ts, which is part of the script that visitors load before 3D. */

/** Maximum number of Gaussians of a splat file. Each takes about 40 bytes of graphics memory. */
export const SPLATS_MAX = 6_000_000;
