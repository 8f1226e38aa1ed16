/** Field names of the model whose API name is not simply their snake case. */
const API_NAMES: ReadonlyMap<string, string> = new Map([
  ["folderId", "folder_uuid"],
  ["mediaId", "media_uuid"],
  ["ownerId", "owner_uuid"],
  ["posterMediaId", "poster_media_uuid"],
  ["replacesId", "replaces_uuid"],
  ["showcase", "sid"],
  ["storageLimit", "library_size"],
]);

/**
 * Converts a field's name to the API's spelling, also in paths with dots: startDate → start_date, source.nodes[0].mediaId →
 * source.nodes.0.media_uuid. Names of URL parameters stay unchanged.
 */
export const fieldName = (name: string): string => {
  const [head = "", ...rest] = name.replace(/\[(\d+)\]/g, ".$1").split(".");
  const snakeCase = (part: string) =>
    API_NAMES.get(part) ?? part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [snakeCase(head), ...(head === "urlParams" ? rest : rest.map(snakeCase))].join(".");
};
