import type { services as en } from "../en/services";
import type { Words } from "../words";

export const services: Words<typeof en> = {
  notFound: "見つかりませんでした",
  invalid: "入力内容をご確認ください。",
  conflict: "ほかの方が先に保存しました。その内容は上書きされていません。",
  unauthenticated: "ログインしてください。",
  forbidden: "この操作を行う権限がありません。",
  sessionRequired: "アクセストークンではこの操作を行えません。ログインしてください。",
  tokenNotAllowed:
    "権限の変更、ほかの人のメールアドレスの変更、管理者の招待や復帰は、アクセストークンでは行えません。ログインしてください。",
  reauthenticationRequired: "この操作を行うには、パスワードまたはパスキーによる本人確認が必要です。",
  insufficientScope: "このアクセストークンには、スコープ「{{scope}}」が付いていません。",
  rateLimited: "試行回数が多すぎます。1分ほど待ってから、もう一度お試しください。",
  guessDelayed:
    "パスワードの誤りが多すぎます。{{minutes}}分ほど待ってからもう一度お試しください。パスキー、または以前ログインしたブラウザーからはログインできます。",
  badCredentials:
    "メールアドレスまたはパスワードが正しくありません。両方をご確認のうえ、もう一度お試しください。",
  tooManyLinks: "メールの送信が上限に達しました。1時間ほど待ってから、もう一度お試しください。",
  wrongPassword: "パスワードが正しくありません。",
  samePassword: "現在と同じパスワードです。別のパスワードを入力してください。",
  sameEmail: "現在と同じメールアドレスです。",
  accountBlocked: "このアカウントは停止されています。管理者にお問い合わせください。",
  accountDisapproved: "このアカウントは承認されませんでした。管理者にお問い合わせください。",
  emailUnverified: "メールアドレスの確認が済んでいません。お送りしたメールのリンクを開いてください。",
  approvalPending: "このアカウントは管理者の承認待ちです。",
  secondFactorRequired: "認証アプリのコードも入力してください。",
  badOneTimeCode:
    "コードが正しくないか、すでに使われています。アプリに今表示されているコードを入力してください。",
  oneTimeCodeBlocked: "正しくないコードが続きました。15分ほど待つか、リカバリーコードをお使いください。",
  passkeyRequired:
    "このアカウントには二段階認証が必要ですが、認証アプリが設定されていません。パスキーでログインしてください。",
  secondStepExpired: "時間がかかりすぎました。もう一度ログインしてください。",
  secondFactorSetup: "管理者には二段階認証が必要です。画面でログインし、先に設定してください。",
  secondFactorExpired:
    "時間がかかりすぎました。新しいQRコードを読み取り、アプリに表示されたコードを入力してください。",
  secondFactorExists: "認証アプリはすでに設定されています。先に解除してください。",
  ownSecondFactor: "ご自分の二段階認証は、アカウントの画面で変更してください。",
  spaceLicense_one:
    "ご契約のスペース数（{{count}}件）に達しています。スペースを削除するか、ご契約数の追加をお申し込みください。",
  spaceLicense_other:
    "ご契約のスペース数（{{count}}件）に達しています。スペースを削除するか、ご契約数の追加をお申し込みください。",
  emailTaken: "このメールアドレスはすでに使われています。",
  linkUnknown: "このリンクは正しくありません。メールのリンクをもう一度開くか、新しいリンクをお求めください。",
  linkUsed: "このリンクはすでに使われています。リンクを使えるのは一度だけです。",
  linkExpired: "このリンクは使えなくなりました。有効期限が切れたか、新しいメールが送られています。",
  webUnreachable:
    "{{provider}}に接続できませんでした。保存されたものも失われたものもありません。しばらくしてからもう一度お試しください。",
  mailNotSent: "メールを送信できませんでした。数分後にもう一度お試しください。",
  notInvited:
    "招待を送れるのは、ステータスが「メール未確認」のユーザーだけです。メールは送信されていません。",
};
