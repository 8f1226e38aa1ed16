import { useEffect, useMemo, useState } from "react";
import { Anchor } from "~/components/anchor";
import { Notice } from "~/components/status/notice";
import type { Uuid } from "~/domain/shared/model";
import { formatBytes, formatNumber } from "~/i18n/format";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { useTranslation } from "~/i18n/translation";
import type { ViewerSource } from "~/viewer/Viewer";
import type { SourceFault } from "./source-fault";

const PanoramaShapeText = createLatePart(withMessages(["spaces"], () => import("./panorama-shape-text")));

/** Loads the checks, which read files as the viewer does. */
const loadChecks = () => import("./source-fault");

const browserPorts = {
  fetch: (url: string) => fetch(url),
  measure: async (image: Blob) => {
    const bitmap = await createImageBitmap(image);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  },
};

interface SourceNoticeProps {
  readonly source: ViewerSource;
  /** The notice links to the files of this space; null for no link. */
  readonly spaceId: Uuid | null;
}

/** Reports the fault of a space's files to its owner. */
export function SourceFaultNotice({ source: latestSource, spaceId }: SourceNoticeProps) {
  const { t } = useTranslation();
  const source = useStableSource(latestSource);
  const [fault, setFault] = useState<SourceFault | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const findFault = async () => (await loadChecks()).findSourceFault(source, browserPorts);
    findFault()
      .catch((): SourceFault => ({ why: "offline" }))
      .then((newFault) => isCurrent && setFault(newFault));
    return () => {
      isCurrent = false;
    };
  }, [source]);
  if (!fault) return null;
  const panoramaTitle = "panoramaTitle" in fault ? fault.panoramaTitle : null;
  const message =
    fault.why === "cut" ? (
      t("content:sourceFault.cut", {
        came: formatBytes(fault.receivedBytes),
        whole: formatBytes(fault.expectedBytes),
      })
    ) : fault.why === "shape" ? (
      <PanoramaShapeText panoramaTitle={fault.panoramaTitle} width={fault.width} height={fault.height} />
    ) : fault.why === "offline" ? (
      t("content:sourceFault.offline")
    ) : panoramaTitle === null ? (
      t(`content:sourceFault.${fault.why}.${source.kind === "splat" ? "splat" : "model"}`)
    ) : (
      t(`content:sourceFault.${fault.why}.panorama`, { place: panoramaTitle })
    );
  return (
    <Notice tone="warning" title={t("content:sourceFault.title")} live>
      <p>{message}</p>
      {fault.why !== "offline" && spaceId && (
        <p className="mt-2">
          {t("content:sourceFault.meanwhile")}
          {t("shared:space")}
          <ChangeFilesLink spaceId={spaceId} />
        </p>
      )}
    </Notice>
  );
}

/** Reports to the owner that a model is too large for phones. */
export function TriangleCountNotice({ source: latestSource, spaceId }: SourceNoticeProps) {
  const { t } = useTranslation();
  const source = useStableSource(latestSource);
  const [triangles, setTriangles] = useState<number | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const countTriangles = async () => (await loadChecks()).countUnsupportedTriangles(source, browserPorts);
    countTriangles().then(
      (newTriangles) => isCurrent && setTriangles(newTriangles),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [source]);
  if (triangles === null) return null;
  return (
    <Notice tone="warning" title={t("content:sourceFault.heavy")} live>
      <p>
        {t("content:sourceFault.heavyText", { triangles: formatNumber(triangles) })}
        {t("shared:space")}
        {spaceId && <ChangeFilesLink spaceId={spaceId} />}
      </p>
    </Notice>
  );
}

/** Returns the previous source while the model's file is the same, so that its triangles are not counted again. */
export const keepCountedSource = (previous: ViewerSource | null, source: ViewerSource): ViewerSource =>
  previous?.kind === "model" && source.kind === "model" && previous.url === source.url ? previous : source;

/** Returns the same object for equal sources, because a form creates a new one at every keystroke. */
function useStableSource(source: ViewerSource): ViewerSource {
  const key = JSON.stringify(source);
  return useMemo(() => JSON.parse(key) as ViewerSource, [key]);
}

function ChangeFilesLink({ spaceId }: { readonly spaceId: Uuid }) {
  const { t } = useTranslation();
  return (
    <Anchor href={`/space/${spaceId}/source`} className="text-accent underline">
      {t("content:sourceFault.change")}
    </Anchor>
  );
}
