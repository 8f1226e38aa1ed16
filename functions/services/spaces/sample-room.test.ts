import { NodeIO } from "@gltf-transform/core";
import { validateBytes } from "gltf-validator";
import { describe, expect, it } from "vitest";
import { createSampleRoom, SAMPLE_START } from "./sample-room";

describe("the sample room", () => {
  const file = createSampleRoom();

  it("is a valid glTF file of less than 200 KB", async () => {
    const { issues } = await validateBytes(file, {});
    // Severity 2 is information, and 3 is a hint.
    expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
    expect(file.length).toBeLessThan(200 * 1024);
  });

  it("contains the start position", async () => {
    const { getBounds } = await import("@gltf-transform/functions");
    const document = await new NodeIO().readBinary(file);
    const [scene] = document.getRoot().listScenes();
    if (!scene) throw new Error("no scene");
    const { min, max } = getBounds(scene);
    for (const [axis, coordinate] of SAMPLE_START.position.entries()) {
      expect(coordinate).toBeGreaterThan(min[axis] ?? 0);
      expect(coordinate).toBeLessThan(max[axis] ?? 0);
    }
  });
});
