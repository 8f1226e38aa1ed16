import type { document as en } from "../en/document";

/** Documents that ask for a password. Loaded when one does. */
export const document: typeof en = {
  locked: "このドキュメントはパスワードで保護されています。",
  password: "ドキュメントのパスワード",
  open: "開く",
  wrong: "ドキュメントのパスワードが違います。もう一度お試しください。",
};
