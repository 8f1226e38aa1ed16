import { expect, it } from "vitest";
import { harmonicsRotation } from "./harmonics";

type Vec3 = readonly [number, number, number];
const apply = (matrix: readonly (readonly number[])[], list: readonly number[]) =>
  matrix.map((row) => row.reduce((sum, value, index) => sum + value * (list[index] ?? 0), 0));
const expectClose = (actual: readonly number[], expected: readonly number[]) => {
  for (const [index, value] of expected.entries()) expect(actual[index]).toBeCloseTo(value, 6);
};
/** A quarter turn about z, from x to y, and one about x, from y to z, as inverse rotations. */
const aboutZ = ([x, y, z]: Vec3): Vec3 => [y, -x, z];
const aboutX = ([x, y, z]: Vec3): Vec3 => [x, z, -y];

it("the coefficients of colours rotate with their splats", () => {
  const [degreeOne = [], degreeTwo = [], degreeThree = []] = harmonicsRotation(aboutZ);
  // −x becomes −y, and coefficients that are symmetric about z do not change.
  expectClose(apply(degreeOne, [0, 0, 1]), [1, 0, 0]);
  expectClose(apply(degreeOne, [0, 1, 0]), [0, 1, 0]);
  expectClose(apply(degreeTwo, [1, 0, 0, 0, 0]), [-1, 0, 0, 0, 0]);
  expectClose(apply(degreeTwo, [0, 0, 1, 0, 0]), [0, 0, 1, 0, 0]);
  expectClose(apply(degreeThree, [0, 0, 0, 1, 0, 0, 0]), [0, 0, 0, 1, 0, 0, 0]);
});

it("two rotations in sequence equal the combined rotation", () => {
  const [rotationAboutZ, rotationAboutX] = [harmonicsRotation(aboutZ), harmonicsRotation(aboutX)];
  const combinedRotation = harmonicsRotation((direction) => aboutZ(aboutX(direction)));
  for (const [degree, matrix] of combinedRotation.entries()) {
    const list = matrix.map((_, index) => index + 1);
    expectClose(
      apply(matrix, list),
      apply(rotationAboutX[degree] ?? [], apply(rotationAboutZ[degree] ?? [], list)),
    );
  }
});
