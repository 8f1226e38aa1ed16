import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "~/components/button";
import { Icon, isIconName } from "~/components/icon";
import { Notice } from "~/components/notice";
import { useHydrated } from "~/components/use-hydrated";
import type { SourceKind } from "~/domain/shared/model";
import type { SourceValues } from "~/domain/spaces/space-source-form";
import { useTranslation } from "~/i18n/translation";
import { giveStill } from "~/uploads/give-still";
import { Viewer, type ViewerHandle, type ViewerSource } from "~/viewer/Viewer";
import { SourceTrouble } from "../edit/source-trouble";
import { FileViews } from "./file-views";
import type { SourceFiles } from "./read.server";
import { PICTURE_WIDTH, type SendProblem, sendPicture } from "./send-picture";
import { previewSource } from "./viewer-source";

const stageIcon = (name: string) => (isIconName(name) ? <Icon name={name} size={20} /> : null);
/** The stage begins anew when nothing was changed for so long. */
const SETTLE_MS = 700;

export interface PreviewProps {
  readonly kind: SourceKind;
  readonly values: SourceValues;
  readonly files: SourceFiles;
  /** Whose library a picture goes to; null for one's own. */
  readonly ownerId: string | null;
  /** Hears where the camera is, as JSON; absent where that is not asked. */
  readonly onStart?: (start: string) => void;
  /** A start that moved with its model, or was dropped because another axis points upwards; null for neither. */
  readonly startChange?: "moved" | "dropped" | null;
  /** Hears which axis is to point upwards; absent where that is not asked. */
  readonly onUp?: (up: string) => void;
  /** Hears of a picture that was taken: its id and address. */
  readonly onPicture: (id: string, address: string) => void;
  /** Hears of a source that can be weighed: it was shown, or is too large for this device. */
  readonly onWeigh?: (source: ViewerSource) => void;
}

/** What the form describes, in 3D: where one begins and the picture are taken from here. */
export function Preview({
  kind,
  values,
  files,
  ownerId,
  startChange,
  onStart,
  onUp,
  onPicture,
  onWeigh,
}: PreviewProps) {
  const { t, language } = useTranslation();
  const hydrated = useHydrated();
  const stage = useRef<ViewerHandle>(null);
  const awaitsStart = useRef(false);
  const [said, setSaid] = useState("");
  const [problem, setProblem] = useState<SendProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const [fails, setFails] = useState(false);
  // The start is where the camera is already: taking it must not begin the stage anew.
  const { name, posterMediaId, start, ...shown } = values;
  const settled = useSettled(JSON.stringify(shown));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a start that is taken must not begin the stage anew
  const begin = useMemo(() => start, [settled]);
  const source = previewSource(kind, { ...values, ...JSON.parse(settled), start: begin }, files, language);
  const file = files[values.mediaId || (values.nodes[0]?.nodeMedia ?? "")];
  if (!source) return null;

  const takeStart = () => {
    const viewpoint = stage.current?.viewpoint();
    // The stage may be loading again after a change in the form. The start is taken when it is ready.
    awaitsStart.current = !viewpoint;
    if (!viewpoint) return;
    onStart?.(JSON.stringify(viewpoint));
    setSaid(t("spaces:sources.startTaken"));
  };
  const takePicture = async () => {
    setBusy(true);
    setProblem(null);
    const picture = await stage.current?.captureImage(PICTURE_WIDTH);
    const sent = picture ? await sendPicture(picture, name || t("spaces:sources.picture"), ownerId) : null;
    setBusy(false);
    if (!sent || "problem" in sent) return setProblem(sent?.problem ?? "failed");
    onPicture(sent.id, sent.picture);
    setSaid(t("spaces:sources.pictureTaken"));
  };
  return (
    <section aria-labelledby="preview-title" className="grid gap-3">
      <h2 id="preview-title" className="text-base font-semibold">
        {t("spaces:sources.preview")}
      </h2>
      {startChange && <Notice live>{t(`spaces:sources.start.${startChange}`)}</Notice>}
      {fails && <SourceTrouble source={source} spaceId={null} />}
      <div className="h-[min(60vh,32rem)] overflow-hidden rounded bg-surface">
        <Viewer
          ref={stage}
          source={source}
          poster={file?.large ?? null}
          title={name || t("spaces:sources.preview")}
          pins={[]}
          openPinId={null}
          onOpenPin={() => {}}
          onReady={() => {
            setFails(false);
            onWeigh?.(source);
            if (awaitsStart.current) takeStart();
            if (file?.takesStill) void giveStill(file.id, (width) => stage.current?.captureImage(width));
          }}
          onError={(code) => {
            setFails(code === "load_failed");
            if (code === "too_large") onWeigh?.(source);
          }}
          icon={stageIcon}
        />
      </div>
      {hydrated && (
        <div className="flex flex-wrap items-center gap-2">
          {onStart && (
            <Button icon="eye" onClick={takeStart}>
              {t("spaces:sources.takeStart")}
            </Button>
          )}
          {onUp && (
            <Button icon="retry" onClick={() => onUp(values.up === "-y" ? "y" : "-y")}>
              {t(values.up === "-y" ? "spaces:sources.turnBack" : "spaces:sources.turnOver")}
            </Button>
          )}
          <Button icon="picture" onClick={takePicture} pending={busy}>
            {t("spaces:sources.takePicture")}
          </Button>
          <p role="status" className="text-sm text-muted">
            {said}
          </p>
        </div>
      )}
      {hydrated && onStart && source.kind === "model" && (
        <FileViews url={source.url} display={source.display} stage={stage} />
      )}
      {problem && <Notice tone="danger">{t(`spaces:sources.sendProblem.${problem}`)}</Notice>}
    </section>
  );
}

/** A value that has not changed for a while. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
