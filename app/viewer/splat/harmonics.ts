/** Real spherical harmonics of splats, with the Condon–Shortley phase (3D Gaussian Splatting; KHR_gaussian_splatting, "Lighting"). */

type Vec3 = readonly [number, number, number];

/** Basis functions of each degree from 1 on, from the lowest order to the highest, for a unit direction. */
const BASIS: readonly ((direction: Vec3) => readonly number[])[] = [
  ([x, y, z]) => [-0.4886025119029199 * y, 0.4886025119029199 * z, -0.4886025119029199 * x],
  ([x, y, z]) => [
    1.092548430592079 * x * y,
    -1.092548430592079 * y * z,
    0.31539156525252 * (2 * z * z - x * x - y * y),
    -1.092548430592079 * x * z,
    0.5462742152960395 * (x * x - y * y),
  ],
  ([x, y, z]) => [
    -0.5900435899266435 * y * (3 * x * x - y * y),
    2.890611442640554 * x * y * z,
    -0.4570457994644657 * y * (4 * z * z - x * x - y * y),
    0.3731763325901154 * z * (2 * z * z - 3 * x * x - 3 * y * y),
    -0.4570457994644657 * x * (4 * z * z - x * x - y * y),
    1.445305721320277 * z * (x * x - y * y),
    -0.5900435899266435 * x * (x * x - 3 * y * y),
  ],
];

/** Directions spread over the sphere. There are more of them than functions of the highest degree, so that the equations have a unique solution. */
const DIRECTIONS: readonly Vec3[] = Array.from({ length: 64 }, (_, index) => {
  const z = 1 - (2 * index + 1) / 64;
  const angle = index * Math.PI * (3 - Math.sqrt(5));
  const radius = Math.sqrt(1 - z * z);
  return [radius * Math.cos(angle), radius * Math.sin(angle), z];
});

/**
 * Returns, for each degree from 1 to 3, the matrix that rotates its coefficients with the splats. In each direction, a rotated function has the value
 * that the original function has in the inversely rotated direction. The coefficients are the least-squares solution of these equations.
 * @param turnBack applies the inverse rotation to a direction
 */
export const harmonicsRotation = (turnBack: (direction: Vec3) => Vec3): readonly (readonly number[][])[] =>
  BASIS.map((basis) => {
    const rows = DIRECTIONS.map(basis);
    const sources = DIRECTIONS.map((direction) => basis(turnBack(direction)));
    const size = rows[0]?.length ?? 0;
    const indices = Array.from({ length: size }, (_, index) => index);
    const product = (matrix: readonly (readonly number[])[], i: number, j: number) =>
      rows.reduce((sum, row, index) => sum + (row[i] ?? 0) * (matrix[index]?.[j] ?? 0), 0);
    return solve(
      indices.map((i) => indices.map((j) => product(rows, i, j))),
      indices.map((i) => indices.map((j) => product(sources, i, j))),
    );
  });

/** Solves a x = b for a symmetric positive definite matrix by Gauss–Jordan elimination, in place. */
function solve(a: number[][], b: number[][]): number[][] {
  a.forEach((pivotRow, pivot) => {
    const factor = 1 / (pivotRow[pivot] ?? 1);
    const rightHandRow = b[pivot] ?? [];
    for (const row of [pivotRow, rightHandRow])
      row.forEach((value, index) => {
        row[index] = value * factor;
      });
    a.forEach((row, index) => {
      if (index === pivot) return;
      const share = row[pivot] ?? 0;
      pivotRow.forEach((value, i) => {
        row[i] = (row[i] ?? 0) - share * value;
      });
      rightHandRow.forEach((value, i) => {
        (b[index] as number[])[i] = (b[index]?.[i] ?? 0) - share * value;
      });
    });
  });
  return b;
}
