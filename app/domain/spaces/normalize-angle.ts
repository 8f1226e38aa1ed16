/** Wraps an angle in radians into [−π, π]. An angle in this range is returned without rounding. */
export const normalizeAngle = (angle: number): number =>
  Math.abs(angle) <= Math.PI ? angle : Math.atan2(Math.sin(angle), Math.cos(angle));
