import type { auth as en } from "../en/auth";
import type { Words } from "../words";

export const auth: Words<typeof en> = {
  title: "ログイン",
  lead: "3D空間でイベントを公開しましょう。",
  email: "メールアドレス",
  password: "パスワード",
  submit: "ログイン",
  submitting: "ログインしています…",
  toContinue: "続けるにはログインしてください。",
  passkey: "パスキーを使う",
  passkeyWaiting: "端末の応答を待っています…",
  or: "または",
  passkeyClosed: "パスキーは使われませんでした。もう一度お試しいただくか、パスワードでログインしてください。",
  restoring: "セッションを復元しています…",
  loggedOut: "ログアウトしました。",
  forgot: "パスワードをお忘れですか？",
  toLogin: "ログイン画面へ",
  retrieve: {
    title: "パスワードの再設定",
    lead: "アカウントのメールアドレスを入力してください。新しいパスワードを設定するためのリンクをお送りします。",
    submit: "リンクを送信",
    submitting: "送信しています…",
    sentTitle: "メールをご確認ください",
    sentText:
      "このアドレスのアカウントがある場合は、リンクを記載したメールをお送りします。リンクの有効期限は1時間です。届くまで数分かかることがあります。迷惑メールフォルダーもご確認ください。",
    sentAgain: "もう一度送信する",
  },
  newPassword: {
    title: "新しいパスワードの設定",
    lead: "{{email}} のアカウントのパスワードを設定します。",
    password: "新しいパスワード",
    hint: "{{min}}文字以上。空白も含め、どの文字でも使えます。",
    confirmation: "新しいパスワード（確認）",
    ends: "設定すると、このアカウントのすべてのセッションが終了します。新しいパスワードでログインしてください。",
    submit: "パスワードを設定",
    submitting: "設定しています…",
    done: "新しいパスワードを設定しました。ログインしてください。",
  },
  invitation: {
    title: "Hirobaへようこそ",
    lead: "{{name}} 様、メールアドレス {{email}} を確認します。アカウントのパスワードを設定してください。",
    leadNameless: "メールアドレス {{email}} を確認します。アカウントのパスワードを設定してください。",
    awaits: "その後、管理者が承認するとログインできるようになります。",
    submit: "招待を受ける",
    submitting: "手続きしています…",
    done: "アカウントの準備ができました。ログインしてください。",
  },
  link: {
    unknownTitle: "このリンクは正しくありません",
    unknownText:
      "途中で切れている可能性があります。メールのリンクをもう一度開くか、全体をコピーして開いてください。",
    usedTitle: "このリンクはすでに使われています",
    usedText:
      "リンクを使えるのは一度だけです。パスワードを設定した場合は、そのパスワードでログインしてください。",
    expiredTitle: "このリンクは使えなくなりました",
    expiredText: "有効期限が切れたか、新しいメールが送られています。何も変更されていません。",
    awaitsTitle: "メールアドレスを確認しました",
    awaitsText: "パスワードを設定しました。管理者がアカウントを承認すると、ログインできるようになります。",
    askReset: "新しいリンクを送信",
    askInvitation: "招待が必要な場合は、管理者に再送をご依頼ください。",
  },
};
