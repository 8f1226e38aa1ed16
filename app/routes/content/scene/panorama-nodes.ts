import type { ViewerSource } from "~/viewer/Viewer";

/** Ids and titles of the panoramas of a space; empty for other sources. */
export const panoramaNodes = (
  source: ViewerSource,
): readonly { readonly id: string; readonly title: string }[] =>
  source.kind === "panorama" ? source.nodes.map(({ id, title }) => ({ id, title })) : [];
