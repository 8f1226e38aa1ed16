import { useState } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { faceOrders } from "~/domain/spaces/cubemap";
import { linkedNodeIds, type NodeValues } from "~/domain/spaces/space-source-form";
import { convertUploaded } from "~/features/library/conversions/convert-uploaded";
import type { ConversionError } from "~/features/library/prepare/conversion";
import { loadPanoramaConverter } from "~/features/library/prepare/converters";
import { useTranslation } from "~/i18n/translation";
import type { SourceFile, SourceFiles } from "../source/read.server";
import { sendCapturedImage } from "../thumbnail/send-captured-image";

/** Called with a panorama that was created in this form, and with the nodes that it replaces: one image or six cube faces. */
export type OnPanorama = (replacedNodes: readonly NodeValues[], panorama: SourceFile) => void;

interface PanoramaHelpProps {
  readonly nodes: readonly NodeValues[];
  readonly files: SourceFiles;
  /** Owner of the library that receives the panorama; null for the user's own library. */
  readonly ownerId: string | null;
  readonly onPanorama: OnPanorama;
}

/** Progress (`share`: the completed part, from 0 to 1) or problem of a creation; null if none was started, or after its success. */
type CreationState = { readonly share: number } | { readonly problem: string } | null;

/** Whether an image does not have the shape of a panorama but can be converted to one. That requires the uploaded file. */
const isConvertible = (file: SourceFile | undefined) =>
  file !== undefined && file.invalidPanoramaSize !== null && file.original !== null;
const isSquare = ({ invalidPanoramaSize }: SourceFile) =>
  invalidPanoramaSize !== null && invalidPanoramaSize.width === invalidPanoramaSize.height;

/** The six square images of a space whose names are those of the faces of one cube; null if there are no such images. */
export function findCubeFaces(
  nodes: readonly NodeValues[],
  files: SourceFiles,
): readonly NodeValues[] | null {
  const squareNodes = nodes.filter(({ nodeMedia }) => {
    const file = files[nodeMedia];
    return file !== undefined && isConvertible(file) && isSquare(file);
  });
  const names = squareNodes.map(({ nodeMedia }) => files[nodeMedia]?.title ?? "");
  return faceOrders(names).length > 0 ? squareNodes : null;
}

/** Buttons that create a panorama from a cropped image or a cubemap, or from six images of the space that are the faces of a cube. */
export function PanoramaHelp({ nodes, files, ownerId, onPanorama }: PanoramaHelpProps) {
  const { t } = useTranslation();
  const cubeFaces = findCubeFaces(nodes, files);
  const convertibleNodes = nodes.filter(
    (node) => isConvertible(files[node.nodeMedia]) && !cubeFaces?.includes(node),
  );
  const [state, setState] = useState<CreationState>(null);
  if (!cubeFaces && convertibleNodes.length === 0 && state === null) return null;
  const createPanorama = async (selectedNodes: readonly NodeValues[]) => {
    setState({ share: 0 });
    try {
      const panorama = await convertToPanorama(
        selectedNodes.flatMap(({ nodeMedia }) => files[nodeMedia] ?? []),
        ownerId,
        (share) => setState({ share }),
      );
      if ("problem" in panorama)
        return setState({ problem: t(`spaces:sources.sendProblem.${panorama.problem}`) });
      setState(null);
      onPanorama(selectedNodes, panorama.file);
    } catch (error) {
      const { code = "", values = {} } = error as Partial<ConversionError>;
      const { reason } = values;
      if (code === "missing_files") setState({ problem: t("spaces:sources.panoramaProblem.faces") });
      else if (reason === "fisheye") setState({ problem: t("spaces:sources.errors.fisheye") });
      else if (reason === "not_panorama")
        setState({ problem: t("spaces:sources.panoramaProblem.shape", { ...values }) });
      else if (code === "out_of_memory" || code === "too_large")
        setState({ problem: t("spaces:sources.panoramaProblem.memory") });
      else setState({ problem: t("spaces:sources.panoramaProblem.failed") });
    }
  };
  const isBusy = state !== null && "share" in state;
  const percent = isBusy ? Math.round(state.share * 100) : 0;
  return (
    <div className="grid gap-3">
      {(cubeFaces || convertibleNodes.length > 0) && (
        <p className="max-w-prose text-sm text-muted text-phrase">{t("spaces:sources.panoramaHelp")}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {cubeFaces && (
          <Button onClick={() => createPanorama(cubeFaces)} pending={isBusy}>
            {t("spaces:sources.joinFaces")}
          </Button>
        )}
        {convertibleNodes.map((node) => (
          <Button key={node.nodeId} onClick={() => createPanorama([node])} pending={isBusy}>
            {t("spaces:sources.makePanorama", { title: files[node.nodeMedia]?.title ?? "" })}
          </Button>
        ))}
      </div>
      <p role="status" className="text-sm text-muted">
        {isBusy && t("spaces:sources.makingPanorama", { percent })}
      </p>
      {state !== null && "problem" in state && <Notice tone="danger">{state.problem}</Notice>}
    </div>
  );
}

/** Whether a form is submitted in order to be saved, not to add or remove a panorama. */
export const isSaving = (event: { readonly nativeEvent: Event }) =>
  ((event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null)?.value === "save";

/** Replaces some panoramas of a space by a new one, which takes the position of the first of them. */
export const withPanorama = (
  nodes: readonly NodeValues[],
  replacedNodes: readonly NodeValues[],
  mediaId: string,
) =>
  nodes.flatMap((node) => {
    const [firstReplaced] = replacedNodes;
    const isReplaced = (id: string) => replacedNodes.some(({ nodeId }) => nodeId === id);
    const links = linkedNodeIds(node);
    if (node.nodeId === firstReplaced?.nodeId)
      return [
        { ...node, nodeMedia: mediaId, nodeLinks: links.filter((link) => !isReplaced(link)).join(" ") },
      ];
    if (isReplaced(node.nodeId)) return [];
    const newLinks = links.map((link) => (isReplaced(link) ? (firstReplaced?.nodeId ?? "") : link));
    return [{ ...node, nodeLinks: [...new Set(newLinks)].join(" ") }];
  });

async function convertToPanorama(
  files: readonly SourceFile[],
  ownerId: string | null,
  onProgress: (share: number) => void,
) {
  const blobs = await Promise.all(
    files.map(async ({ original }) => {
      const response = await fetch(original ?? "");
      if (!response.ok) throw new Error(`The server returned ${response.status}.`);
      return response.blob();
    }),
  );
  const [firstBlob, ...otherBlobs] = blobs;
  const [firstFile] = files;
  if (!firstBlob || !firstFile) throw new TypeError("There is no file to convert.");
  const convert = await loadPanoramaConverter();
  const { files: convertedFiles, after } = await convert({
    file: firstBlob,
    fileName: firstFile.title,
    mimeType: firstBlob.type,
    quality: 0.8,
    signal: new AbortController().signal,
    companions: new Map(otherBlobs.map((blob, index) => [files[index + 1]?.title ?? String(index), blob])),
    // The upload takes the remaining 20 %.
    onProgress: (share) => onProgress(share * 0.8),
  });
  const image = convertedFiles.find(({ role }) => role === "display")?.blob;
  if (!image) throw new Error("The conversion made no image.");
  const uploadResult = await sendCapturedImage(image, `${firstFile.title} 360`, ownerId);
  if ("problem" in uploadResult) return uploadResult;
  // Creates the tiles and the preview of the panorama, like for any uploaded image.
  void convertUploaded(uploadResult.item, null);
  const file: SourceFile = {
    ...firstFile,
    id: uploadResult.id,
    title: `${firstFile.title} 360`,
    url: uploadResult.image,
    thumbnail: `${uploadResult.image}?w=320`,
    invalidPanoramaSize: null,
    original: uploadResult.image,
    hidden: null,
    largeThumbnail: `${uploadResult.image}?w=1280`,
    pixels: `${after.width} × ${after.height}`,
    createsThumbnail: false,
    thumbnailRequest: null,
  };
  return { file };
}
