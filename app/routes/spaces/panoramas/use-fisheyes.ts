import { useEffect, useState } from "react";
import { isDualFisheye } from "~/domain/spaces/fisheye";
import type { NodeValues } from "~/domain/spaces/space-source-form";
import type { SourceFiles } from "../source/read.server";

/** Size of the downscaled copy in which the circles are detected, in pixels. */
const SAMPLE_SIZE = { width: 128, height: 64 } as const;

/** Ids of the images with two fisheye circles. An image that was not analysed yet is missing. */
export function useFisheyes(nodes: readonly NodeValues[], files: SourceFiles): ReadonlySet<string> {
  const [fisheyeIds, setFisheyeIds] = useState<ReadonlySet<string>>(new Set());
  const ids = nodes.map(({ nodeMedia }) => nodeMedia).join();
  useEffect(() => {
    let isCurrent = true;
    for (const id of new Set(ids.split(","))) {
      const file = files[id];
      if (!file?.thumbnail || file.invalidPanoramaSize) continue;
      void hasCircles(file.thumbnail).then((isFisheye) => {
        if (isFisheye && isCurrent) setFisheyeIds((previousIds) => new Set([...previousIds, id]));
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [ids, files]);
  return fisheyeIds;
}

/** Whether an image is an unstitched dual-fisheye image; false also for an image that cannot be read. */
async function hasCircles(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    const bitmap = await createImageBitmap(await response.blob());
    const { width, height } = SAMPLE_SIZE;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, SAMPLE_SIZE);
    const context = canvas.getContext("2d");
    if (!context || Math.abs(bitmap.width / bitmap.height - 2) > 0.05) return false;
    context.drawImage(bitmap, 0, 0, width, height);
    bitmap.close();
    return isDualFisheye(context.getImageData(0, 0, width, height).data, width, height);
  } catch {
    return false;
  }
}
