/**
 * Number of entries (tags, and media that no tag shows) on a page of the visitors' list. Kept apart from the other limits, so that
 * visitors' browsers do not load those.
 */
export const VISIT_LIST_PAGE = 50;
