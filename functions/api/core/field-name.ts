/** Field names of the model that are not simply converted to snake case in the API. */
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
 * A field's name as the API spells it, in paths with dots: startDate → start_date, source.nodes[0].mediaId →
 * source.nodes.0.media_uuid. The names of parameters are the caller's own.
 */
export const fieldName = (name: string): string => {
  const [head = "", ...rest] = name.replace(/\[(\d+)\]/g, ".$1").split(".");
  const spelt = (part: string) =>
    API_NAMES.get(part) ?? part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [spelt(head), ...(head === "urlParams" ? rest : rest.map(spelt))].join(".");
};
