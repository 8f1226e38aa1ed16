/** Words of whatever can be copied. */
export const kitCopy = {
  copy: "Copy",
  copyThis: "Copy: {{label}}",
  copied: "Copied",
  copyFailed: "Could not copy. The text is selected: copy it with the keyboard.",
} as const;
