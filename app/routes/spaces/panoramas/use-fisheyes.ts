import { useEffect, useState } from "react";
import { isDualFisheye } from "~/domain/spaces/fisheye";
import type { NodeValues } from "~/domain/spaces/space-source-form";
import type { SourceFiles } from "../source/read.server";

/** Size in pixels of the small copy in which circles are searched. */
const SAMPLE_SIZE = { width: 128, height: 64 } as const;

/** The pictures among some that have two fisheye circles, by their ids. Empty until they were looked at. */
export function useFisheyes(nodes: readonly NodeValues[], files: SourceFiles): ReadonlySet<string> {
  const [found, setFound] = useState<ReadonlySet<string>>(new Set());
  const ids = nodes.map(({ nodeMedia }) => nodeMedia).join();
  useEffect(() => {
    let isHere = true;
    for (const id of new Set(ids.split(","))) {
      const file = files[id];
      if (!file?.picture || file.odd) continue;
      void hasCircles(file.picture).then((has) => {
        if (has && isHere) setFound((before) => new Set([...before, id]));
      });
    }
    return () => {
      isHere = false;
    };
  }, [ids, files]);
  return found;
}

/** True for an unstitched dual-fisheye picture. False also when it cannot be read: the server then reports the problem. */
async function hasCircles(address: string): Promise<boolean> {
  try {
    const response = await fetch(address);
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
