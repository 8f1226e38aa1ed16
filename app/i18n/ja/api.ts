import {
  EVENTS_PER_OWNER_MAX,
  EVENTS_PER_SPACE_MAX,
  IMPORTS_OPEN_MAX,
  LIBRARY_ITEMS_MAX,
  TRASH_DAYS,
  TRASH_FACTOR,
  UPLOAD_KEEP_HOURS,
} from "~/domain/shared/limits";
import type { api as en } from "../en/api";
import type { Messages } from "../messages";

export const api: Messages<typeof en> = {
  invalid_json: "本文がUTF-8のJSONオブジェクトではありません。",
  cut_off: "本文が途中で途切れています。",
  unsupported_media_type:
    "この呼び出しは、この Content-Type に対応していません。対応する形式は Accept にあります。",
  too_large: "本文が{{max}}MBを超えています。",
  cross_site:
    "セッションCookieで変更できるのは、このサイトのページだけです。チケットを Authorization: Bearer で送ってください。",
  unknown_path: "このアドレスには何もありません。",
  method_not_allowed: "このアドレスはこのメソッドに対応していません。対応するメソッドは Allow にあります。",
  name_twice: "この名前が2回使われています。",
  name_rejected: "この名前は使えません。",
  key_reused: "この Idempotency-Key は、過去24時間以内に別の呼び出しで使われています。",
  key_busy: "この Idempotency-Key の呼び出しを処理しています。少し待ってから、もう一度お試しください。",
  key_spent: "この Idempotency-Key の呼び出しは完了しています。応答が長いため、保存されていません。",
  idempotency_key_invalid: "Idempotency-Key は、印字可能なASCII文字1〜255文字で指定してください。",
  if_match_refused:
    "If-Match には、対応する呼び出しで1つの ETag か * だけを指定できます。指定しない場合は、現在の内容を変更します。",
  unexpected: "問題が発生しました。しばらくしてからもう一度お試しください。",
  errors: {
    limits: {
      events: `これ以上イベントを作成できません。作成できるのは、ゴミ箱のものを含めて、${EVENTS_PER_OWNER_MAX.toLocaleString("en")}件にご契約のスペース数を足した数までです。`,
      spaceEvents: `1つのスペースに作成できるイベントは${EVENTS_PER_SPACE_MAX}件までです。どれかを削除するか、別のスペースをお使いください。`,
      media: `ライブラリに置けるファイルとウェブメディアは、ゴミ箱のものを含めて${LIBRARY_ITEMS_MAX.toLocaleString("ja")}件までです。`,
      imports: `同時に取り込めるのは${IMPORTS_OPEN_MAX}件までです。どれかを完了または中止してください。完了していない取り込みは${UPLOAD_KEEP_HOURS}時間で終了します。`,
      trash: `ライブラリとゴミ箱に置けるのは、合わせて容量の上限の${TRASH_FACTOR}倍までです。削除したものは${TRASH_DAYS}日後にゴミ箱からなくなります。`,
      copyRate: "コピーを開始できるのは1分に{{count}}回までです。1分ほど待ってから、もう一度お試しください。",
      importRate:
        "取り込みを開始できるのは1分に{{count}}回までです。1分ほど待ってから、もう一度お試しください。",
    },
  },
  reference: {
    title: "APIリファレンス",
    lead: "各呼び出しの入力と応答です。機械可読な定義：",
    other_language: "{{name}}（英語）",
    contents: "目次",
    how: "呼び出し方",
    search: "呼び出しを検索",
    search_submit: "検索",
    results: "検索結果",
    no_results: "一致する呼び出しはありません。",
    breadcrumbs: "パンくずリスト",
    examples: "例",
    try: "試す",
    try_lead: "このブラウザから送信します。実際のデータが変更されます。",
    try_token: "アクセストークンまたはチケット",
    try_hint:
      "入力しない場合は、このブラウザのセッションで呼び出します。入力した値はこの欄だけにあり、保存されません。",
    try_open: "開く",
    try_failed: "読み込めませんでした。もう一度お試しください。",
    needs_session: "セッションが必要です。",
    needs_session_or_token: "セッションまたはアクセストークンが必要です。",
    anyone: "認証は不要です。",
    parameters: "パラメーター",
    body: "本文",
    responses: "応答",
    schemas: "スキーマ",
    required: "必須",
    in_path: "パス",
    in_query: "クエリ",
    in_header: "ヘッダー",
  },
  services: {
    notFound: "見つかりません",
    invalid: "入力内容をご確認ください。",
    conflict: "ほかの人が先に保存しました。その内容は上書きされていません。",
    unauthenticated: "ログインしてください。",
    forbidden: "この操作を行う権限がありません。",
    sessionRequired: "アクセストークンではこの操作を行えません。ログインしてください。",
    tokenNotAllowed:
      "権限の変更、ほかの人のメールアドレスの変更、管理者の招待や復帰は、アクセストークンでは行えません。ログインしてください。",
    reauthenticationRequired: "この操作を行うには、パスワードまたはパスキーによる本人確認が必要です。",
    insufficientScope: "このアクセストークンには、スコープ「{{scope}}」がありません。",
    rateLimited: "試行回数が多すぎます。1分ほど待ってから、もう一度お試しください。",
    guessDelayed:
      "パスワードの誤りが多すぎます。{{minutes}}分ほど待ってからもう一度お試しください。パスキー、または以前ログインしたブラウザからはログインできます。",
    badCredentials:
      "メールアドレスまたはパスワードが正しくありません。両方をご確認のうえ、もう一度お試しください。",
    wrongPassword: "パスワードが正しくありません。",
    sameEmail: "現在と同じメールアドレスです。",
    accountBlocked: "このアカウントは停止されています。管理者にお問い合わせください。",
    accountDisapproved: "このアカウントは承認されませんでした。管理者にお問い合わせください。",
    emailUnverified: "メールアドレスの確認が済んでいません。お送りしたメールのリンクを開いてください。",
    approvalPending: "このアカウントは管理者の承認待ちです。",
    secondFactorRequired: "認証アプリのコードも入力してください。",
    oneTimeCodeBlocked: "コードの誤りが多すぎます。15分ほど待つか、リカバリーコードをお使いください。",
    passkeyRequired:
      "このアカウントには二段階認証が必要ですが、認証アプリが設定されていません。パスキーでログインしてください。",
    secondStepExpired: "時間がかかりすぎました。もう一度ログインしてください。",
    secondFactorSetup: "管理者には二段階認証が必要です。画面でログインし、先に設定してください。",
    secondFactorExpired:
      "時間がかかりすぎました。新しいQRコードを読み取り、アプリに表示されたコードを入力してください。",
    secondFactorExists: "認証アプリはすでに設定されています。先に解除してください。",
    ownSecondFactor: "ご自分の二段階認証は、アカウント設定で変更してください。",
    spaceLicense_one:
      "ご契約のスペース数（{{count}}件）に達しています。スペースを削除するか、ご契約数の追加をお申し込みください。",
    spaceLicense_other:
      "ご契約のスペース数（{{count}}件）に達しています。スペースを削除するか、ご契約数の追加をお申し込みください。",
    emailTaken: "このメールアドレスはすでに使われています。",
    linkUnknown:
      "このリンクは正しくありません。メールのリンクをもう一度開くか、新しいリンクを請求してください。",
    linkUsed: "このリンクはすでに使われています。リンクを使えるのは一度だけです。",
    linkExpired: "このリンクは使えなくなりました。有効期限が切れたか、新しいリンクが送られています。",
    webUnreachable:
      "{{provider}}に接続できませんでした。何も変更されていません。しばらくしてからもう一度お試しください。",
    notInvited:
      "招待を送れるのは、ステータスが「メール未確認」のユーザーだけです。メールは送信されていません。",
  },
};
