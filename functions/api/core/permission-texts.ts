/** Texts about permissions for readers of the OpenAPI document; app/domain/shared/permissions.ts has the rules. */
export const PERMISSION_TEXTS = {
  /** For reading and changing a folder, a space or a media item. */
  shared: "The owner, members of the group with which it is shared, and administrators.",
  /** For deleting and restoring a record. */
  owner: "The owner and administrators.",
  /** For a list of an owner's records. */
  list: "Every user for the user's own records; administrators for those of all users.",
  own: "Every user, for the user's own records.",
  add: "Users who may add to the folder: its owner, members of its group, and administrators.",
  event: "The owner of the event's space, members of its group, and administrators.",
  eventOwner: "The owner of the event's space and administrators.",
  copy: "Users who may read it and may add to the target folder: owners, members of the groups, and administrators.",
  sharedMany: "For each record its owner, members of its group, and administrators.",
  ownerMany: "For each record its owner and administrators.",
  sender: "The user who began the upload.",
  session: "Every user with a session.",
  link: "Everyone who has the link.",
  anyone: "Anyone.",
} as const;
