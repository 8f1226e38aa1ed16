export const library = {
  title: "Library",
  titleOf: "Library of {{name}}",
  search: "Search media",
  searchSubmit: "Search",
  shareNamed: "Share “{{title}}”",
  clearSearch: "Show all",
  emptyTitle: "The library is empty",
  emptyText: "Pictures, sound, video, documents and models used in events are kept here.",
  noMatchTitle: "Nothing matches “{{q}}”",
  noMatchText: "Try a shorter or a different word.",
  dimensions: "{{width}} × {{height}} px",
};
