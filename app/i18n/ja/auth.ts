import {
  COMPANY_NAME_MAX,
  EMAIL_MAX,
  PASSKEY_NAME_MAX,
  PASSKEYS_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PERSON_NAME_MAX,
} from "~/domain/shared/limits";
import type { auth as en } from "../en/auth";
import type { Messages } from "../messages";

export const auth: Messages<typeof en> = {
  title: "ログイン",
  lead: "3D空間でイベントを公開しましょう。",
  email: "メールアドレス",
  password: "パスワード",
  submit: "ログイン",
  submitting: "ログインしています…",
  toContinue: "続けるにはログインしてください。",
  passkey: "パスキーでログイン",
  passkeyWaiting: "端末の応答を待っています…",
  or: "または",
  passkeyClosed: "パスキーが使われませんでした。もう一度お試しいただくか、パスワードでログインしてください。",
  restoring: "セッションを復元しています…",
  forgot: "パスワードをお忘れですか？",
  toLogin: "ログイン画面へ",
  secondStep: {
    title: "二段階認証",
    lead: "認証アプリのコードを入力してください。",
    code: "コード",
    hint: "アプリに表示された6桁の数字、またはリカバリーコードです。",
    again: "別のアカウントでログイン",
    lost: "スマートフォンもリカバリーコードもない場合は、管理者に二段階認証のリセットを依頼してください。",
  },
  retrieve: {
    title: "パスワードの再設定",
    lead: "アカウントのメールアドレスを入力してください。パスワードを設定するリンクをお送りします。",
    submit: "リンクを送信",
    submitting: "送信しています…",
    sentTitle: "メールをご確認ください",
    sentText:
      "このアドレスのアカウントがある場合は、リンクをメールでお送りしました。リンクの有効期限は1時間です。届くまで数分かかることがあります。迷惑メールフォルダーもご確認ください。",
    sentAgain: "もう一度送信する",
  },
  newPassword: {
    title: "新しいパスワードの設定",
    lead: "{{email}} のパスワードを設定します。",
    password: "新しいパスワード",
    hint: "{{min}}文字以上。空白を含め、どの文字でも使えます。",
    confirmation: "新しいパスワード（確認）",
    ends: "すべての端末からログアウトします。新しいパスワードでログインしてください。",
    passkeys:
      "このアカウントのパスキーは残り、引き続きログインに使えます。心当たりのないパスキーは削除してください。",
    toPasskeys: "パスキーの管理",
    submit: "パスワードを設定",
    submitting: "設定しています…",
  },
  invitation: {
    title: "Hirobaへようこそ",
    lead: "{{name}} 様、{{email}} のパスワードを設定してください。メールアドレスの確認も完了します。",
    leadNameless: "{{email}} のパスワードを設定してください。メールアドレスの確認も完了します。",
    awaits: "管理者が承認するとログインできるようになります。",
    submit: "招待を受ける",
    submitting: "手続きしています…",
  },
  stopMails: {
    title: "イベントのお知らせメールを停止しますか？",
    lead: "イベントの公開と終了をお知らせするメールを停止します。ほかの設定は変わりません。",
    submit: "停止する",
    doneTitle: "お知らせメールを停止しました",
    doneText: "アカウント設定でいつでも再開できます。",
  },
  link: {
    unknownTitle: "このリンクは正しくありません",
    unknownText:
      "途中で切れている可能性があります。メールのリンクをもう一度開くか、全体をコピーして開いてください。",
    usedTitle: "このリンクはすでに使われています",
    usedText:
      "リンクを使えるのは一度だけです。パスワードを設定した場合は、そのパスワードでログインしてください。",
    expiredTitle: "このリンクは使えなくなりました",
    expiredText: "有効期限が切れたか、新しいリンクが送られています。何も変更されていません。",
    awaitsTitle: "メールアドレスを確認しました",
    awaitsText: "パスワードを設定しました。管理者が承認すると、ログインできるようになります。",
    askReset: "新しいリンクを送信",
    askInvitation: "管理者に招待の再送を依頼してください。",
  },
  errors: {
    email: {
      required: "メールアドレスを入力してください。",
      invalid: "メールアドレスを正しく入力してください。",
      tooLong: `メールアドレスは${EMAIL_MAX}文字以内で入力してください。`,
      unknown: "このメールアドレスのユーザーは見つかりません。",
    },
    password: {
      required: "パスワードを入力してください。",
      tooShort: `パスワードは${PASSWORD_MIN}文字以上で入力してください。`,
      tooLong: `パスワードは${PASSWORD_MAX}文字以内で入力してください。`,
      mismatch: "パスワードが一致しません。",
      common: "よく使われるパスワードです。別のパスワードを入力してください。",
      ownWords: "名前やメールアドレスに似すぎています。別のパスワードを入力してください。",
      productName: "「Hiroba」「広場」に似すぎています。別のパスワードを入力してください。",
    },
    person: {
      nameRequired: "姓または名を入力してください。",
      nameTooLong: `名前は${PERSON_NAME_MAX}文字以内で入力してください。`,
      companyTooLong: `会社名は${COMPANY_NAME_MAX}文字以内で入力してください。`,
      language: "言語を選択してください。",
      timeZone: "一覧からタイムゾーンを選択してください。",
    },
    secondFactor: {
      codeRequired: "コードを入力してください。",
    },
    passkey: {
      nameRequired: "パスキーの名前を入力してください。",
      nameTooLong: `パスキーの名前は${PASSKEY_NAME_MAX}文字以内で入力してください。`,
      tooMany: `登録できるパスキーは${PASSKEYS_MAX}個までです。先にどれかを削除してください。`,
      failed: "パスキーを追加できませんでした。もう一度お試しください。",
      notConfirmed:
        "パスキーを確認できませんでした。もう一度お試しいただくか、パスワードを入力してください。",
      rejected:
        "パスキーを確認できませんでした。もう一度お試しいただくか、パスワードでログインしてください。",
    },
  },
  services: {
    tooManyLinks: "メールの送信が上限に達しました。1時間ほど待ってから、もう一度お試しください。",
    samePassword: "現在と同じパスワードです。別のパスワードを入力してください。",
    badOneTimeCode:
      "コードが正しくないか、すでに使われています。アプリに今表示されているコードを入力してください。",
    mailNotSent: "メールを送信できませんでした。数分後にもう一度お試しください。",
  },
};
