/** Entries (tags, and media that no tag shows) on a page of the visitors' list. Apart from the other limits, which visitors' browsers do not load. */
export const VISIT_LIST_PAGE = 100;
