import { describe, expect, it } from "vitest";
import {
  FRAMES,
  objectCapture,
  roomCapture,
  rotated,
  rotationAbout,
  upAxisAfter,
} from "../../../tests/support/files/splat-captures";
import type { Splat } from "../../../tests/support/files/spz";
import { dot } from "../core/vec";
import { detectUp, type SplatSamples, USUAL_AXES, type UsualAxis } from "./detect-up";

/** Returns splats in their file's frame. The thinnest axis of each is its normal. */
function samplesOf(splats: readonly Splat[]): SplatSamples {
  const positions = Float32Array.from(splats.flatMap(({ position }) => position));
  const normals = Float32Array.from(
    splats.flatMap(({ scale, rotation }) => {
      const axis = scale.indexOf(Math.min(...scale));
      const unit = [0, 0, 0, 0].map((_, index) => (index === axis ? 1 : 0)) as [
        number,
        number,
        number,
        number,
      ];
      const [turnedSplat] = rotated(
        [{ ...splats[0], position: [unit[0], unit[1], unit[2]] } as Splat],
        rotation,
      );
      return turnedSplat ? [...turnedSplat.position] : [0, 0, 0];
    }),
  );
  const weights = Float32Array.from(splats, ({ scale, opacity }) => {
    const [, u = 0, v = 0] = [...scale].sort((a, b) => a - b);
    return u * v * opacity;
  });
  return { positions, normals, weights };
}

/** Cosine of the angle between the detected up axis and the real one. */
const upCosine = (
  splats: readonly Splat[],
  turn: readonly [number, number, number, number],
  usualAxis: UsualAxis,
) => dot(detectUp(samplesOf(rotated(splats, turn)), usualAxis), upAxisAfter(turn));

describe("the up axis of a capture", () => {
  for (const [name, splats] of [
    ["a room", roomCapture()],
    ["an object on a table", objectCapture()],
  ] as const)
    it(`is found for ${name}, for any axis of its file and any usual axis of its format`, () => {
      for (const [frame, turn] of Object.entries(FRAMES))
        for (const [format, usualAxis] of Object.entries(USUAL_AXES))
          expect(upCosine(splats, turn, usualAxis), `${frame} as ${format}`).toBeGreaterThan(0.999);
    });

  it("is the usual axis of the format for a statue with more splats in its head than in its base", () => {
    const splat = (position: readonly [number, number, number]): Splat => ({
      position,
      scale: [0.02, 0.02, 0.02],
      rotation: [0, 0, 0, 1],
      color: [1, 1, 1],
      opacity: 0.97,
    });
    const statue = Array.from({ length: 4000 }, (_, index) => {
      const [turn, share] = [index * 2.399963, (index + 0.5) / 4000];
      const radius = 0.3 * Math.sqrt(1 - (1 - 2 * share) ** 2);
      const width = 0.6 - 0.5 * share;
      return [
        splat([Math.cos(turn) * radius, 1.5 + 0.3 * (1 - 2 * share), Math.sin(turn) * radius]),
        splat([Math.cos(turn) * width, 1.3 * share, Math.sin(turn) * width]),
      ];
    }).flat();
    expect(upCosine(statue, FRAMES.y, USUAL_AXES.spz)).toBe(1);
    expect(upCosine(statue, FRAMES["-y"], USUAL_AXES.splat)).toBe(1);
  });

  it("follows the tilt of a capture, and is exactly an axis when the tilt is small", () => {
    for (const degrees of [-25, -12, 8, 20]) {
      const tiltedTurn = rotationAbout([0, 0, 1], 180 + degrees);
      expect(upCosine(roomCapture(), tiltedTurn, USUAL_AXES.ply), `${degrees}°`).toBeGreaterThan(0.999);
    }
    const slightlyTilted = rotated(roomCapture(), rotationAbout([0, 0, 1], 181));
    expect(detectUp(samplesOf(slightlyTilted), USUAL_AXES.ply)).toEqual([-0, -1, -0]);
  });

  it("is the usual axis of the format when no surface is flat", () => {
    const cloud = Array.from({ length: 4000 }, (_, index): Splat => {
      const [a, b] = [index * 2.399963, Math.acos(1 - (2 * (index + 0.5)) / 4000)];
      const position = [Math.cos(a) * Math.sin(b), Math.cos(b), Math.sin(a) * Math.sin(b)] as const;
      return { position, scale: [0.02, 0.02, 0.02], rotation: [0, 0, 0, 1], color: [1, 1, 1], opacity: 0.9 };
    });
    const samples = { ...samplesOf(cloud), normals: new Float32Array(cloud.length * 3) };
    expect(dot(detectUp(samples, USUAL_AXES.ply), [0, -1, 0])).toBe(1);
    expect(dot(detectUp(samples, USUAL_AXES.spz), [0, 1, 0])).toBe(1);
    expect(
      detectUp(
        { positions: new Float32Array(), normals: new Float32Array(), weights: new Float32Array() },
        USUAL_AXES.ply,
      ),
    ).toEqual([-0, -1, -0]);
  });
});
