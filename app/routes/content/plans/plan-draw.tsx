import { useState } from "react";
import { newMediaValues } from "~/domain/content/content";
import type { FloorPlan } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { sendCapturedImage } from "../../spaces/thumbnail/send-captured-image";
import { useEditorView } from "../editor/editor-context";

type DrawProblem = "noDrawing" | "capacity" | "notSent";

/**
 * Draws the space from above on the stage, adds the image to the library and to the event, and makes it the aligned floor plan.
 * @returns null if the space cannot be drawn, and before the editor is ready
 */
export function usePlanDraw() {
  const { t, language } = useTranslation();
  const { editor, stage, source } = useEditorView();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<DrawProblem | null>(null);
  const drawPlan = async (): Promise<DrawProblem | null> => {
    const planImage = await stage.current?.capturePlanImage().catch(() => null);
    if (!planImage || !editor) return "noDrawing";
    const { blob, center } = planImage;
    const bitmap = await createImageBitmap(blob);
    const { width, height } = bitmap;
    // Frees the memory of the full-size image immediately instead of at the next garbage collection.
    bitmap.close();
    const name = t("content:sceneEditor.plan.drawnTitle");
    const uploadResult = await sendCapturedImage(blob, name, null);
    if ("problem" in uploadResult) return uploadResult.problem === "capacity" ? "capacity" : "notSent";
    const id = crypto.randomUUID();
    const plan: FloorPlan = { mediaId: id, center, width: planImage.width, rotation: 0 };
    editor.run([
      {
        op: "create_media",
        id,
        values: newMediaValues(uploadResult.id, name, language),
        metadata: {
          kind: "image",
          mimeType: blob.type,
          byteSize: blob.size,
          width,
          height,
          duration: null,
          hasThumbnail: false,
          web: null,
        },
      },
      { op: "update_scene", values: { plan } },
    ]);
    return null;
  };
  const draw = async () => {
    setBusy(true);
    setProblem(await drawPlan().catch(() => "notSent" as const));
    setBusy(false);
  };
  if (editor === null || (source.kind !== "model" && source.kind !== "splat")) return null;
  return { start: () => void draw(), isBusy, problem };
}

/** Message about why the floor plan could not be drawn or saved. */
export function PlanDrawProblem({ draw }: { readonly draw: ReturnType<typeof usePlanDraw> }) {
  const { t } = useTranslation();
  return (
    <p role="status" className="basis-full text-sm text-warning empty:sr-only">
      {draw?.problem && t(`content:sceneEditor.plan.${draw.problem}`)}
    </p>
  );
}
