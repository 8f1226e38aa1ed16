/** Texts about permissions for readers of the document; app/domain/permissions has the rules. */
export const MAY = {
  /** Reading, changing, moving and copying what lies in a folder, and what an event is made of. */
  shared: "The owner, members of the group with which it is shared, and administrators.",
  /** Deleting it, and bringing it back. */
  owner: "The owner and administrators.",
  /** A list by whose it is. */
  list: "Everybody of one's own; administrators of anybody's.",
  own: "Everybody of one's own.",
  add: "Whoever may add to the folder: its owner, members of its group, and administrators.",
  event: "The owner of the event's space, members of its group, and administrators.",
  eventOwner: "The owner of the event's space and administrators.",
  copy: "Whoever may read it and may add to where the copy is to lie: owners, members of the groups, and administrators.",
  sharedMany: "Of each thing the owner, members of its group, and administrators.",
  ownerMany: "Of each thing the owner and administrators.",
  sender: "Whoever began the upload.",
  session: "Everybody with a session.",
  link: "Whoever has the link.",
  anyone: "Anyone.",
} as const;
