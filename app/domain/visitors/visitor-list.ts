/**
 * Number of entries (tags, and media that no tag shows) on a page of the visitors' list. In a file of its own, so that visitors' browsers do not load
 * the other limits.
 */
export const VISITOR_LIST_PAGE_SIZE = 50;
