import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "~/components/button";
import { Icon, isIconName } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { useHydrated } from "~/components/use-hydrated";
import type { SourceKind } from "~/domain/shared/model";
import type { SourceValues } from "~/domain/spaces/space-source-form";
import { uploadThumbnail } from "~/features/library/uploads/thumbnails/upload-thumbnail";
import { useTranslation } from "~/i18n/translation";
import { Viewer, type ViewerHandle, type ViewerSource } from "~/viewer/Viewer";
import { IMAGE_WIDTH, type SendProblem, sendCapturedImage } from "../thumbnail/send-captured-image";
import { FileViews } from "./file-views";
import type { SourceFiles } from "./read.server";
import { SourceFaultNotice } from "./source-fault-notice";
import { toViewerSource } from "./viewer-source";

const stageIcon = (name: string) => (isIconName(name) ? <Icon name={name} size={20} /> : null);
const formatMetres = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 3 });
/** Delay after the last change of the form before the stage (the 3D view) is loaded again, in milliseconds. */
const RELOAD_DELAY_MS = 700;

export interface PreviewProps {
  readonly kind: SourceKind;
  readonly values: SourceValues;
  readonly files: SourceFiles;
  /** Owner of the library that receives a thumbnail; null for the user's own library. */
  readonly ownerId: string | null;
  /** Called with the start view: the camera's viewpoint as JSON. Absent if the form has no start view. */
  readonly onStart?: (start: string) => void;
  /** Whether the start was moved together with its model, or dropped; null for neither. */
  readonly startChange?: "moved" | "dropped" | null;
  /** Called with the axis that points upwards; absent if the form has no such field. */
  readonly onUp?: (up: string) => void;
  /** Called with the id and the URL of a captured thumbnail. */
  readonly onImage: (id: string, url: string) => void;
  /** Called with a model whose triangles can be counted: it was displayed, or it is too large for this device. */
  readonly onCountable?: (source: ViewerSource) => void;
}

/** 3D preview of the form's values, from which the start and the thumbnail are taken. */
export function SourcePreview({
  kind,
  values,
  files,
  ownerId,
  startChange,
  onStart,
  onUp,
  onImage,
  onCountable,
}: PreviewProps) {
  const { t, language } = useTranslation();
  const hydrated = useHydrated();
  const stage = useRef<ViewerHandle>(null);
  const waitsForStart = useRef(false);
  const [announcement, setAnnouncement] = useState("");
  const [problem, setProblem] = useState<SendProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const [hasLoadFailed, setLoadFailed] = useState(false);
  // Capturing the start must not load the stage again, because the camera is already there.
  const { name, posterMediaId, start, ...stageValues } = values;
  const settledValues = useSettledValue(JSON.stringify(stageValues));
  // biome-ignore lint/correctness/useExhaustiveDependencies: taking the start must not load the stage again
  const initialStart = useMemo(() => start, [settledValues]);
  const source = toViewerSource(
    kind,
    { ...values, ...JSON.parse(settledValues), start: initialStart },
    files,
    language,
  );
  const file = files[values.mediaId || (values.nodes[0]?.nodeMedia ?? "")];
  if (!source) return null;

  const captureStart = () => {
    const viewpoint = stage.current?.viewpoint();
    // If the stage is still loading, the start is captured when it is ready.
    waitsForStart.current = !viewpoint;
    if (!viewpoint) return;
    onStart?.(JSON.stringify(viewpoint));
    setAnnouncement(t("spaces:sources.startTaken"));
  };
  const compareWithPerson = async () => {
    const extent = await stage.current?.compareWithPerson();
    if (!extent) return;
    const [width, height, depth] = extent;
    setAnnouncement(
      t("spaces:sources.compared", {
        width: formatMetres(width),
        height: formatMetres(height),
        depth: formatMetres(depth),
      }),
    );
  };
  const captureThumbnail = async () => {
    setBusy(true);
    setProblem(null);
    const image = await stage.current?.captureImage(IMAGE_WIDTH);
    const uploadResult = image
      ? await sendCapturedImage(image, name || t("spaces:sources.image"), ownerId)
      : null;
    setBusy(false);
    if (!uploadResult || "problem" in uploadResult) return setProblem(uploadResult?.problem ?? "failed");
    onImage(uploadResult.id, uploadResult.image);
    setAnnouncement(t("spaces:sources.imageCaptured"));
  };
  return (
    <section aria-labelledby="preview-title" className="grid gap-3">
      <h2 id="preview-title" className="text-base font-semibold">
        {t("spaces:sources.preview")}
      </h2>
      {startChange && <Notice live>{t(`spaces:sources.start.${startChange}`)}</Notice>}
      {hasLoadFailed && <SourceFaultNotice source={source} spaceId={null} />}
      <div className="h-[min(60vh,32rem)] overflow-hidden rounded bg-surface">
        <Viewer
          ref={stage}
          source={source}
          poster={file?.largeThumbnail ?? null}
          title={name || t("spaces:sources.preview")}
          pins={[]}
          openPinId={null}
          onOpenPin={() => {}}
          onReady={() => {
            setLoadFailed(false);
            onCountable?.(source);
            if (waitsForStart.current) captureStart();
            if (file?.createsThumbnail)
              void uploadThumbnail(file.id, (width) => stage.current?.captureImage(width));
          }}
          onError={(code) => {
            setLoadFailed(code === "load_failed");
            if (code === "too_large") onCountable?.(source);
          }}
          icon={stageIcon}
        />
      </div>
      {hydrated && (
        <div className="flex flex-wrap items-center gap-2">
          {onStart && (
            <Button icon="eye" onClick={captureStart}>
              {t("spaces:sources.takeStart")}
            </Button>
          )}
          {source.kind === "model" && (
            <Button icon="person" onClick={compareWithPerson}>
              {t("spaces:sources.compare")}
            </Button>
          )}
          {onUp && (
            <Button icon="retry" onClick={() => onUp(values.up === "-y" ? "y" : "-y")}>
              {t(values.up === "-y" ? "spaces:sources.turnBack" : "spaces:sources.turnOver")}
            </Button>
          )}
          <Button icon="picture" onClick={captureThumbnail} pending={busy}>
            {t("spaces:sources.captureImage")}
          </Button>
          <p role="status" className="text-sm text-muted">
            {announcement}
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

/** Returns the last value that did not change for RELOAD_DELAY_MS; at first the initial value. */
function useSettledValue(value: string): string {
  const [settledValue, setSettledValue] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettledValue(value), RELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settledValue;
}
