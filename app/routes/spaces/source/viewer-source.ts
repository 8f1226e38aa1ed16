import { EYE_HEIGHT } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang, SourceKind } from "~/domain/shared/model";
import { createSourceSchema } from "~/domain/spaces/space-source.schema";
import { type SourceValues, sourceInput } from "~/domain/spaces/space-source-form";
import type { ViewerSource } from "~/viewer/Viewer";
import type { SourceFiles } from "./read.server";

/** Converts the values of a form to a source for the 3D view; null for a showcase (a Matterport space), and while a value is missing or invalid. */
export function toViewerSource(
  kind: SourceKind,
  values: SourceValues,
  files: SourceFiles,
  lang: Lang,
): ViewerSource | null {
  if (kind === "showcase") return null;
  const parsed = createSourceSchema("degrees").safeParse(sourceInput(kind, values));
  if (!parsed.success || parsed.data.kind === "showcase") return null;
  const source = parsed.data;
  if (source.kind !== "panorama") {
    const url = files[source.mediaId]?.url;
    if (!url) return null;
    const { start, eyeHeight = EYE_HEIGHT.usual } = source;
    if (source.kind === "splat") return { kind: "splat", url, start, eyeHeight, up: source.up };
    const { light = "studio", lightPicture, display } = source;
    const lightUrl = (lightPicture && files[lightPicture.mediaId]?.url) || null;
    const model = { kind: "model", url, start, eyeHeight, display, person: true } as const;
    if (light === "file")
      return lightUrl === null ? model : { ...model, light: { kind: light, url: lightUrl } };
    return { ...model, light: { kind: light } };
  }
  const nodes = source.nodes.flatMap(({ mediaId, title, ...node }) => {
    const url = files[mediaId]?.url;
    return url ? [{ ...node, url, title: inLanguage(title, lang).text || node.id }] : [];
  });
  return nodes.length === 0 ? null : { kind: "panorama", nodes, start: source.start };
}
