import { AnimationClip, NumberKeyframeTrack, QuaternionKeyframeTrack, VectorKeyframeTrack } from "three";
import { expect, it } from "vitest";
import { removeInvalidTracks } from "./remove-invalid-tracks";

const rotations = [0, 0, 0, 1, 0, 1, 0, 0];

it("removes invalid tracks of damaged animations and keeps the others", () => {
  const validTracks = [
    new QuaternionKeyframeTrack("arm.quaternion", [0, 1], rotations),
    new NumberKeyframeTrack("face.morphTargetInfluences", [0, 1], [0, 0, 1, 1]),
  ];
  const damagedTracks = [
    // Times and values are interleaved, as in tinygltf's unassigned-skeleton.gltf. three would never finish with them.
    new QuaternionKeyframeTrack("arm.quaternion", [0, 0, 0, 1], [0, 0, 0, 1]),
    new VectorKeyframeTrack("arm.position", [0, 1], [1, 2, 3]),
    new VectorKeyframeTrack("arm.scale", [2, 1], [1, 1, 1, 2, 2, 2]),
    new VectorKeyframeTrack("arm.scale", [0, Number.NaN], [1, 1, 1, 2, 2, 2]),
  ];
  const clips = [
    new AnimationClip("both", 9, [...validTracks, ...damagedTracks]),
    new AnimationClip("none", 9, damagedTracks),
  ];
  removeInvalidTracks(clips);
  expect(clips).toMatchObject([
    { name: "both", duration: 1, tracks: validTracks },
    { name: "none", tracks: [] },
  ]);
});
