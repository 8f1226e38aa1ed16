import { Matrix3, Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { openGlb } from "~/domain/library/formats/gltf-splats";
import { FRAMES, objectCapture, rotated, rotationAbout } from "../../../tests/support/files/splat-captures";
import { type GlbSplatOptions, rawSpz, writeGlbSplats } from "../../../tests/support/files/splat-files";
import type { Splat } from "../../../tests/support/files/spz";
import { TimeSlicer } from "../core/time-slicer";
import { convertGltfSplats } from "./gltf-splats.client";

const splats = rotated(objectCapture(0.2), rotationAbout([0.6, 0, 0.8], 30));

interface Row {
  readonly position: Vector3;
  readonly color: readonly number[];
  readonly opacity: number;
  /** The six different numbers of the symmetric covariance matrix. */
  readonly covariance: readonly number[];
  readonly harmonics: readonly number[];
}

const covarianceOf = (scale: Vector3, rotation: Quaternion) => {
  const axes = new Matrix3().setFromMatrix4(new Matrix4().compose(new Vector3(), rotation, scale));
  const [a, b, c, , d, e, , , f] = axes.clone().multiply(axes.clone().transpose()).elements;
  return [a, b, c, d, e, f] as number[];
};

async function readRows(bytes: Uint8Array): Promise<readonly Row[]> {
  const glb = openGlb(bytes);
  if (!glb) throw new Error("No GLB.");
  const converted = await convertGltfSplats(glb, async (file) => file, new TimeSlicer());
  if (!("ply" in converted)) throw new Error("The SPZ file was returned unchanged.");
  const { ply } = converted;
  const text = Buffer.from(ply).toString("latin1");
  const width = text.match(/property float/g)?.length ?? 0;
  const numbers = new Float32Array(ply.slice(text.indexOf("end_header\n") + 11).buffer);
  return Array.from({ length: numbers.length / width }, (_, index) => {
    const row = [...numbers.subarray(index * width, (index + 1) * width)];
    const [w = 0, x = 0, y = 0, z = 0] = row.slice(10, 14);
    return {
      position: new Vector3().fromArray(row),
      color: row.slice(3, 6).map((value) => value * 0.28209479177387814 + 0.5),
      opacity: 1 / (1 + Math.exp(-(row[6] ?? 0))),
      covariance: covarianceOf(
        new Vector3().fromArray(row.slice(7, 10).map(Math.exp)),
        new Quaternion(x, y, z, w),
      ),
      harmonics: row.slice(14),
    };
  });
}

/**
 * Compares splats with those of a file.
 * @param digits number of compared digits after the decimal point
 */
async function expectSame(bytes: Uint8Array, expected: readonly Splat[], digits = 4): Promise<void> {
  const rows = await readRows(bytes);
  expect(rows).toHaveLength(expected.length);
  rows.forEach((row, index) => {
    const splat = expected[index] as Splat;
    const covariance = covarianceOf(new Vector3(...splat.scale), new Quaternion(...splat.rotation));
    const values = [...row.position.toArray(), ...row.color, row.opacity, ...row.covariance];
    const expectedValues = [...splat.position, ...splat.color, splat.opacity, ...covariance];
    values.forEach((value, i) => {
      expect(value).toBeCloseTo(expectedValues[i] ?? 0, digits);
    });
  });
}

const scaledBy = (factors: readonly [number, number, number]) =>
  splats.map((splat) => ({
    ...splat,
    position: splat.position.map((value, axis) => value * (factors[axis] ?? 1)) as [number, number, number],
  }));

describe("splats of a GLB file", () => {
  it("are read equally from floats, from interleaved integers, and from the logarithms of a draft of KHR_gaussian_splatting", async () => {
    await expectSame(writeGlbSplats(splats), splats);
    const nodes = [{ mesh: 0, scale: [16, 16, 16] }];
    // This form stores positions divided by 16 and scales divided by 2. The node multiplies both by 16.
    const scaledSplats = splats.map((splat) => ({
      ...splat,
      scale: splat.scale.map((value) => value * 8) as [number, number, number],
    }));
    await expectSame(writeGlbSplats(splats, { form: "quantized", nodes }), scaledSplats, 1);
    await expectSame(writeGlbSplats(splats, { form: "draft" }), splats);
  });

  it("are transformed by their nodes, also by non-uniform scales", async () => {
    const [x, y, z, w] = FRAMES.z;
    const nodes = [{ children: [1], rotation: [-x, -y, -z, w] }, { mesh: 0 }];
    await expectSame(writeGlbSplats(rotated(splats, FRAMES.z), { nodes }), splats);
    const stretched = [{ mesh: 0, scale: [1, 3, 0.5], translation: [0, 0, 0] }];
    const rows = await readRows(writeGlbSplats(splats, { nodes: stretched }));
    const expected = scaledBy([1, 3, 0.5]);
    const matrix = new Matrix3().set(1, 0, 0, 0, 3, 0, 0, 0, 0.5);
    rows.forEach((row, index) => {
      const splat = splats[index] as Splat;
      const rotation = new Matrix3().setFromMatrix4(
        new Matrix4().compose(new Vector3(), new Quaternion(...splat.rotation), new Vector3(...splat.scale)),
      );
      const moved = matrix.clone().multiply(rotation);
      const [a, b, c, , d, e, , , f] = moved.clone().multiply(moved.clone().transpose()).elements;
      [a, b, c, d, e, f].forEach((value, i) => {
        expect(row.covariance[i]).toBeCloseTo(value as number, 5);
      });
      expect(row.position.toArray().map((value) => value.toFixed(3))).toEqual(
        (expected[index] as Splat).position.map((value) => Math.fround(value).toFixed(3)),
      );
    });
  });

  it("are unpacked from SPZ when a node transforms them", async () => {
    const [x, y, z, w] = FRAMES.z;
    const spzOf = (options: GlbSplatOptions) =>
      writeGlbSplats(splats, { ...options, spz: rawSpz(rotated(splats, FRAMES.z)) });
    await expectSame(spzOf({ form: "draft", nodes: [{ mesh: 0, rotation: [-x, -y, -z, w] }] }), splats, 1);
    // Files of the current draft use the axes of glTF, which are rotated by half a turn about y.
    const turnedSplats = rotated(rotated(rotated(splats, FRAMES.z), rotationAbout([0, 1, 0], 180)), [
      -x,
      -y,
      -z,
      w,
    ]);
    await expectSame(spzOf({ nodes: [{ mesh: 0, rotation: [-x, -y, -z, w] }] }), turnedSplats, 1);
  });

  it("keep their harmonics for each colour, and rotate them with their nodes", async () => {
    const harmonics = [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ] as const;
    const [unrotated] = await readRows(writeGlbSplats(splats, { harmonics }));
    expect(unrotated?.harmonics).toEqual([1, 4, 7, 2, 5, 8, 3, 6, 9]);
    // A quarter turn about z maps −x to −y and −y to x.
    const nodes = [{ mesh: 0, rotation: rotationAbout([0, 0, 1], 90) }];
    const [rotatedRow] = await readRows(writeGlbSplats(splats, { harmonics, nodes }));
    expect(rotatedRow?.harmonics.map(Math.round)).toEqual([7, 4, -1, 8, 5, -2, 9, 6, -3]);
  });
});
