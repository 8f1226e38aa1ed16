import type { ViewerSource } from "~/viewer/Viewer";

/** The pictures of a space among which one can step, by their titles; none elsewhere. */
export const panoramaNodes = (
  source: ViewerSource,
): readonly { readonly id: string; readonly title: string }[] =>
  source.kind === "panorama" ? source.nodes.map(({ id, title }) => ({ id, title })) : [];
