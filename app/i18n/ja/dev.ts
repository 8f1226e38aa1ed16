import type { dev as en } from "../en/dev";
import type { Words } from "../words";

export const dev: Words<typeof en> = {
  mailbox: "メールボックス",
  mailboxLead: "このコンピューターから送られたメールです。新しい順に並んでいます。外部には送信されません。",
  mailboxEmpty: "メールはまだありません",
  mailboxEmptyText: "パスワードの再設定やユーザーの招待を行うと、ここに表示されます。",
  mailboxOf: "{{to}} 宛のメール",
  all: "すべてのメール",
  subject: "件名",
  to: "宛先",
  sent: "送信日時",
  asHtml: "HTML表示",
  asText: "テキスト表示",
};
