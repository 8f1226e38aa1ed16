/** Documents that ask for a password. Loaded when one does. */
export const document = {
  locked: "This document is protected by a password.",
  password: "Password of the document",
  open: "Open",
  wrong: "This is not the document's password. Please try again.",
};
