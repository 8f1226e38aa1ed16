import { useNavigate } from "@remix-run/react";
import type { SourceKind } from "~/domain/shared/model";
import type { SourceValues } from "~/domain/spaces/space-source-form";
import { SourcePreview } from "../source/preview";
import type { SourceFiles } from "../source/read.server";

export interface ThumbnailCaptureProps {
  readonly kind: SourceKind;
  readonly values: SourceValues;
  readonly files: SourceFiles;
  readonly ownerId: string | null;
}

/** The space in 3D for capturing a thumbnail, which is previewed and saved like any image of the library. */
export function ThumbnailCapture({ kind, values, files, ownerId }: ThumbnailCaptureProps) {
  const navigate = useNavigate();
  return (
    <SourcePreview
      kind={kind}
      values={values}
      files={files}
      ownerId={ownerId}
      onImage={(id) => navigate(`?${new URLSearchParams({ media: id })}`)}
    />
  );
}
