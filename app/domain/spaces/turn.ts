/** An angle in radians as it lies in [−π, π]. One that lies there is handed back as it is, to its last digit. */
export const wrapTurn = (angle: number): number =>
  Math.abs(angle) <= Math.PI ? angle : Math.atan2(Math.sin(angle), Math.cos(angle));
