import { Matrix3, Matrix4, type Quaternion, Vector3 } from "three";

/** Number of rounds of the Jacobi method. A symmetric 3 × 3 matrix needs about six. */
const ROUNDS = 12;
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

const element = (matrix: Matrix3, row: number, column: number) => matrix.elements[column * 3 + row] ?? 0;

/**
 * Transforms the ellipsoid of a splat by a matrix that is not a similarity. The axes of the result are the eigenvectors of its
 * covariance, and its standard deviations are the roots of the eigenvalues (Jacobi method).
 * @param linear the matrix, without a translation
 * @param rotation rotation of the splat; overwritten with the result
 * @param scale standard deviations of the splat; overwritten with the result
 */
export function transformEllipsoid(linear: Matrix3, rotation: Quaternion, scale: Vector3): void {
  const ellipsoid = new Matrix3().setFromMatrix4(new Matrix4().compose(new Vector3(), rotation, scale));
  const transformed = linear.clone().multiply(ellipsoid);
  const covariance = transformed.clone().multiply(transformed.clone().transpose());
  const axes = new Matrix3();
  for (let round = 0; round < ROUNDS; round++)
    for (const [p, q] of PAIRS) {
      const offDiagonal = element(covariance, p, q);
      if (offDiagonal === 0) continue;
      const angle = 0.5 * Math.atan2(2 * offDiagonal, element(covariance, q, q) - element(covariance, p, p));
      const rotationStep = new Matrix3();
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      rotationStep.elements[p * 4] = cos;
      rotationStep.elements[q * 4] = cos;
      rotationStep.elements[q * 3 + p] = sin;
      rotationStep.elements[p * 3 + q] = -sin;
      covariance.premultiply(rotationStep.clone().transpose()).multiply(rotationStep);
      axes.multiply(rotationStep);
    }
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  axes.extractBasis(x, y, z);
  const deviation = (axis: number) => Math.sqrt(Math.max(0, element(covariance, axis, axis)));
  scale.set(deviation(0), deviation(1), deviation(2));
  rotation.setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
}
