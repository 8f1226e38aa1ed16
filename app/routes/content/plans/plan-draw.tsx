import { useState } from "react";
import { newMediaValues } from "~/domain/content/content";
import type { FloorPlan } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { sendPicture } from "../../spaces/thumbnail/send-picture";
import { useEditorView } from "../editor/editor-context";

type Problem = "noDrawing" | "capacity" | "notSent";

/**
 * Lets the stage draw the space from above. The image is added to the library and to the event, already aligned.
 * @returns null if the space cannot be drawn
 */
export function usePlanDraw() {
  const { t, language } = useTranslation();
  const { editor, stage, source } = useEditorView();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const draw = async (): Promise<Problem | null> => {
    const planImage = await stage.current?.capturePlanImage().catch(() => null);
    if (!planImage || !editor) return "noDrawing";
    const { blob, center, width } = planImage;
    const drawn = await createImageBitmap(blob);
    const { width: across, height: along } = drawn;
    // Frees the memory of the full-size image immediately instead of at the next garbage collection.
    drawn.close();
    const name = t("content:sceneEditor.plan.drawn");
    const sent = await sendPicture(blob, name, null);
    if ("problem" in sent) return sent.problem === "capacity" ? "capacity" : "notSent";
    const id = crypto.randomUUID();
    const plan: FloorPlan = { mediaId: id, center, width, rotation: 0 };
    editor.run([
      {
        op: "create_media",
        id,
        values: newMediaValues(sent.id, name, language),
        facts: {
          kind: "image",
          mimeType: blob.type,
          byteSize: blob.size,
          width: across,
          height: along,
          duration: null,
          hasThumbnail: false,
          web: null,
        },
      },
      { op: "update_scene", values: { plan } },
    ]);
    return null;
  };
  const press = async () => {
    setBusy(true);
    setProblem(await draw().catch(() => "notSent" as const));
    setBusy(false);
  };
  if (editor === null || (source.kind !== "model" && source.kind !== "splat")) return null;
  return { press: () => void press(), isBusy, problem };
}

/** Says why the space could not be drawn. */
export function PlanDrawProblem({ draw }: { readonly draw: ReturnType<typeof usePlanDraw> }) {
  const { t } = useTranslation();
  return (
    <p role="status" className="basis-full text-sm text-warning empty:sr-only">
      {draw?.problem && t(`content:sceneEditor.plan.${draw.problem}`)}
    </p>
  );
}
