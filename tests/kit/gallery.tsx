import { type ReactNode, useState } from "react";
import { Brand, BrandMark } from "~/components/brand";
import { Button, ButtonRow, DefaultSubmit, IconButton, LinkButton } from "~/components/button";
import { Card, CardGrid, type Picture } from "~/components/card";
import { Container } from "~/components/container";
import { Dialog } from "~/components/dialog";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { CopyField } from "~/components/fields/copy-field";
import { DateTimeField } from "~/components/fields/date-time-field";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { NumberField } from "~/components/fields/number-field";
import { PasswordField } from "~/components/fields/password-field";
import { RadioCards } from "~/components/fields/radio-cards";
import { ComboboxField, SelectField } from "~/components/fields/select-field";
import { TagInput } from "~/components/fields/tag-input";
import { TextArea, TextField } from "~/components/fields/text-field";
import { SkipLink } from "~/components/hidden";
import { Icon, type IconName, TAG_ICONS } from "~/components/icon";
import { LanguageSwitch } from "~/components/menus/language-switch";
import { LinkTabs } from "~/components/menus/link-tabs";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import { TopBar } from "~/components/menus/top-bar";
import { MessagePage } from "~/components/message-page";
import { PageHeader } from "~/components/page-header";
import { Pager } from "~/components/pager";
import { Meter } from "~/components/status/meter";
import { Notice } from "~/components/status/notice";
import {
  EmptyState,
  ErrorState,
  SkeletonCards,
  SkeletonTable,
  SkeletonText,
} from "~/components/status/states";
import { StatusBadge, StatusButton, StatusShape } from "~/components/status/status";
import { StatusTimeline } from "~/components/status/status-timeline";
import { Toast } from "~/components/status/toast";
import { Table } from "~/components/table";
import { VersionText } from "~/components/version-text";
import type { Lang } from "~/domain/shared/model";
import { createI18n } from "~/i18n/create-i18n";
import { shared as sharedEn } from "~/i18n/en/shared";
import { sharedOwners as sharedOwnersEn } from "~/i18n/en/shared-owners";
import { shared as sharedJa } from "~/i18n/ja/shared";
import { sharedOwners as sharedOwnersJa } from "~/i18n/ja/shared-owners";
import { I18nextProvider } from "~/i18n/translation";

const translations = {
  ja: createI18n("ja", { shared: sharedJa, "shared-owners": sharedOwnersJa }),
  en: createI18n("en", { shared: sharedEn, "shared-owners": sharedOwnersEn }),
};

export const PAGES = [
  "parts",
  "form",
  "errors",
  "cards",
  "table",
  "dialog",
  "states",
  "message",
  "login",
] as const;
export type PageName = (typeof PAGES)[number];

interface Context {
  readonly lang: Lang;
  readonly url: string;
  /** The Japanese or the English of two. */
  readonly say: (ja: string, en: string) => string;
}

const NOW = "2026-11-20T04:00:00.000Z";
const ZONE = "Asia/Tokyo";

/** A room in two tones, so that cards have something to show. */
function room(hue: number): Picture {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360"><rect width="640" height="360" fill="hsl(${hue} 18% 86%)"/><path d="M0 0 200 100v140L0 360z" fill="hsl(${hue} 20% 76%)"/><path d="M640 0 440 100v140l200 120z" fill="hsl(${hue} 22% 70%)"/><path d="M0 360 200 240h240l200 120z" fill="hsl(${hue} 14% 56%)"/><path d="M0 0h640L440 100H200z" fill="hsl(${hue} 16% 94%)"/><rect x="250" y="130" width="140" height="80" fill="hsl(${hue} 40% 40%)"/></svg>`;
  return { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, width: 640, height: 360 };
}

function Bar({
  c,
  tone,
  title,
  status,
}: {
  c: Context;
  tone?: "grey" | "white";
  title?: string;
  status?: ReactNode;
}) {
  return (
    <>
      <SkipLink />
      <TopBar
        brandHref="/user-list"
        tone={tone}
        title={title}
        status={status}
        lang={c.lang}
        url={c.url}
        user={{
          name: c.say("山田 花子", "Hanako Yamada"),
          detail: "owner@demo.example",
          logoutAction: "/logout",
          items: [
            { href: "/user-list", label: c.say("ユーザー一覧", "Users"), icon: "users" },
            { href: "/space-list", label: c.say("スペース一覧", "Spaces"), icon: "cube", current: true },
            { href: "/library", label: c.say("ライブラリ", "Library"), icon: "library" },
            { href: "/account", label: c.say("アカウント設定", "Account settings"), icon: "settings" },
          ],
        }}
      />
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-12">
      <h2 className="mb-4 text-lg leading-title font-semibold">{title}</h2>
      {children}
    </section>
  );
}

const icons: readonly IconName[] = [
  ...TAG_ICONS,
  "arrow-left",
  "arrow-right",
  "calendar",
  "check",
  "chevron-down",
  "chevron-left",
  "chevron-right",
  "chevron-up",
  "clock",
  "close",
  "copy",
  "cube",
  "download",
  "edit",
  "external",
  "eye",
  "eye-off",
  "folder",
  "fullscreen",
  "fullscreen-exit",
  "help",
  "key",
  "library",
  "lock",
  "logout",
  "mail",
  "minus",
  "more",
  "plan",
  "play",
  "plus",
  "retry",
  "search",
  "settings",
  "trash",
  "undo",
  "upload",
  "user",
  "users",
  "walk",
  "warning",
];

function Parts({ c }: { c: Context }) {
  return (
    <>
      <Bar c={c} />
      <Container as="main" id="main">
        <PageHeader title={c.say("部品", "Parts")} />
        <Section title={c.say("ボタン", "Buttons")}>
          <ButtonRow>
            <Button variant="primary">{c.say("更新", "Update")}</Button>
            <Button>{c.say("キャンセル", "Cancel")}</Button>
            <Button variant="quiet">{c.say("後で", "Later")}</Button>
            <Button icon="plus">{c.say("追加", "Add")}</Button>
            <Button variant="primary" disabled>
              {c.say("更新", "Update")}
            </Button>
            <Button pending>{c.say("接続テスト", "Test connection")}</Button>
            <LinkButton href="/space-list" icon="external">
              {c.say("開く", "Open")}
            </LinkButton>
            <IconButton icon="copy" label={c.say("コピー", "Copy")} />
            <IconButton icon="undo" label={c.say("元に戻す", "Undo")} variant="secondary" />
          </ButtonRow>
          <ButtonRow className="mt-4">
            <Button variant="danger">{c.say("イベントを削除", "Delete the event")}</Button>
          </ButtonRow>
        </Section>
        <Section title={c.say("アイコン", "Icons")}>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(5rem,1fr))] gap-x-2 gap-y-4">
            {icons.map((name) => (
              <li key={name} className="flex flex-col items-center gap-1 text-center text-xs text-muted">
                <Icon name={name} size={24} className="text-ink" />
                {name}
              </li>
            ))}
          </ul>
        </Section>
        <Section title={c.say("ステータス", "Statuses")}>
          <div className="mb-6 flex flex-wrap gap-6">
            {[1, 2, 3, 4, 9].map((id) => (
              <StatusBadge key={id} statusId={id} />
            ))}
          </div>
          <div className="grid gap-8 sm:grid-cols-2">
            <StatusTimeline
              start="2026-11-01T01:00:00.000Z"
              end="2026-12-24T12:00:00.000Z"
              now={NOW}
              statusId={3}
              timeZone={ZONE}
            />
            <StatusTimeline
              start="2026-12-01T01:00:00.000Z"
              end="2026-12-24T12:00:00.000Z"
              now={NOW}
              statusId={2}
              timeZone={ZONE}
            />
            <StatusTimeline
              start="2026-08-01T01:00:00.000Z"
              end="2026-10-24T12:00:00.000Z"
              now={NOW}
              statusId={4}
              timeZone={ZONE}
            />
            <StatusTimeline
              start="2026-11-01T01:00:00.000Z"
              end={null}
              now={NOW}
              statusId={3}
              timeZone={ZONE}
            />
            <StatusTimeline start={null} end={null} now={NOW} statusId={1} timeZone={ZONE} />
          </div>
        </Section>
        <Section title={c.say("お知らせ", "Notices")}>
          <div className="grid gap-3">
            <Notice title={c.say("プレビュー中です", "This is a preview")}>
              {c.say("アクセスログは記録されません。", "No visits are recorded.")}
            </Notice>
            <Notice
              tone="success"
              title={c.say("ストアへの接続に成功しました", "Successfully connected to the store")}
            />
            <Notice tone="warning" title={c.say("ほかの人が先に保存しました", "Somebody else saved first")}>
              {c.say(
                "あなたの入力は残っています。違いを確認して、もう一度保存してください。",
                "What you entered is still here. Look at what differs and save again.",
              )}
            </Notice>
            <Notice
              tone="danger"
              title={c.say("ストアへの接続に失敗しました", "Failed to connect to the store")}
            />
          </div>
        </Section>
        <Section title={c.say("使用量", "Usage")}>
          <div className="grid gap-6 sm:grid-cols-3">
            <Meter label={c.say("スペース", "Spaces")} value={3} max={10} />
            <Meter
              label={c.say("容量", "Storage")}
              value={4.7}
              max={5}
              text={{ used: "4.7 GB", max: "5 GB" }}
            />
            <Meter label={c.say("スペース", "Spaces")} value={10} max={10} />
          </div>
        </Section>
        <Section title={c.say("ブランド", "Brand")}>
          <div className="flex items-center gap-8">
            <Brand />
            <BrandMark size={40} />
            <BrandMark size={64} />
          </div>
        </Section>
        <VersionText version="0.1.0" />
        <Toasts c={c} />
      </Container>
    </>
  );
}

function Toasts({ c }: { c: Context }) {
  const [count, setCount] = useState(1);
  return (
    <>
      <Button id="another-toast" onClick={() => setCount(count + 1)}>
        {c.say("もう一度", "Once more")}
      </Button>
      <Toast
        toast={{ id: String(count), message: c.say("イベントを更新しました。", "Event has been updated.") }}
      />
    </>
  );
}

function EventFields({ c, wrong = false }: { c: Context; wrong?: boolean }) {
  const statuses = [
    c.say("非公開", "Unpublished"),
    c.say("プレビュー", "Preview"),
    c.say("公開", "Published"),
    c.say("アーカイブ", "Archived"),
  ];
  const meanings = [
    c.say("すべてのリンクが無効です。編集のみできます。", "All links are closed. Only editing is possible."),
    c.say(
      "プレビューリンクが有効です。アクセスログは記録されません。",
      "The preview link is open. No visits are recorded.",
    ),
    c.say(
      "プレビューリンクと公開リンクが有効です。アクセスログが記録されます。",
      "The preview and public links are open. Visits are recorded.",
    ),
    c.say("すべてのリンクが無効です。", "All links are closed."),
  ];
  return (
    <form method="post" action="/form" id="event-form" className="flex flex-col gap-6">
      <DefaultSubmit name="intent" value="save" />
      <TextField
        name="eventName"
        label={c.say("イベント名", "Event name")}
        required
        maxCharacters={32}
        defaultValue={
          wrong
            ? c.say("長すぎる名前".repeat(7), "A name that is much too long for a badge")
            : c.say("秋の新作展", "Autumn show")
        }
        error={wrong ? c.say("32 文字以内で入力してください。", "Please use at most 32 characters.") : null}
      />
      <RadioCards
        name="statusId"
        label={c.say("ステータス", "Status")}
        required
        defaultValue="3"
        options={statuses.map((label, index) => ({
          value: String(index + 1),
          label,
          description: meanings[index],
          mark: <StatusShape statusId={index + 1} />,
        }))}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <DateTimeField
          name="startDate"
          label={c.say("開始日時", "Start")}
          defaultValue="2026-11-01T10:00"
          clearIntent={{ name: "intent", value: "clear-startDate" }}
          undoIntent={{ name: "intent", value: "undo-startDate" }}
          error={wrong ? c.say("終了日時より前にしてください。", "Must be before the end.") : null}
        />
        <DateTimeField
          name="endDate"
          label={c.say("終了日時", "End")}
          clearIntent={{ name: "intent", value: "clear-endDate" }}
          undoIntent={{ name: "intent", value: "undo-endDate" }}
        />
      </div>
      <CheckboxField
        name="auto"
        label={c.say("ステータスを自動で変更する", "Change the status automatically")}
        hint={c.say(
          "開始日時を過ぎると「公開」に、終了日時を過ぎると「アーカイブ」になります。",
          "Becomes Published after the start and Archived after the end.",
        )}
        defaultChecked
      />
      <CopyField
        id="public-link"
        label={c.say("公開リンク", "Public link")}
        value="https://hiroba.example/event/published/0f3c1a52-5a70-4a35-9a5e-3f2b7d1c8e44?token=q8Zt1mB3"
        hint={c.say("このリンクは現在有効です。", "This link is open.")}
      />
      <TextArea
        name="eventDetail"
        label={c.say("イベント詳細", "Details")}
        hint={c.say("来場者に、空間の横で表示されます。", "Visitors read this beside the space.")}
        maxCharacters={1000}
        defaultValue={c.say(
          "三つの部屋を歩きながら、この秋の新作をご覧ください。気に入った作品はその場で購入できます。",
          "Walk through three rooms and see what is new this autumn. What you like can be bought on the spot.",
        )}
      />
      <TagInput
        name="keywords"
        label={c.say("キーワード", "Keywords")}
        suggestions={["pottery", "porcelain", "paper"]}
        defaultValue={[c.say("陶器", "pottery"), c.say("染物", "dyeing"), c.say("木工", "woodwork")]}
      />
      <ComboboxField
        name="groupId"
        label={c.say("グループ", "Group")}
        defaultValue="kiln"
        options={[
          { value: "", label: c.say("共有しない", "Nobody") },
          { value: "kiln", label: c.say("窯元", "Kiln") },
          { value: "dyers", label: c.say("染色工房", "Dyers of Nishijin") },
          { value: "joiners", label: c.say("指物師", "Joiners") },
          { value: "tea", label: c.say("ティーハウス", "Tea house") },
        ]}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <NumberField
          name="hr"
          label={c.say("向き", "Heading")}
          min={0}
          max={360}
          step={1}
          defaultValue={90}
          unit="°"
        />
        <SelectField
          name="lang"
          label={c.say("表示言語", "Language")}
          defaultValue="ja"
          options={[
            { value: "ja", label: "日本語" },
            { value: "en", label: "English" },
          ]}
        />
      </div>
      <PasswordField
        name="publishPassword"
        label={c.say("公開パスワード", "Publish password")}
        autoComplete="off"
        hint={c.say("空欄のままなら、今のパスワードが残ります。", "Left empty, the present one stays.")}
        error={wrong ? c.say("パスワードを入力してください。", "Please enter a password.") : null}
      />
      <ButtonRow>
        <Button variant="primary" type="submit" name="intent" value="save">
          {c.say("更新", "Update")}
        </Button>
        <LinkButton href="/cards">{c.say("キャンセル", "Cancel")}</LinkButton>
      </ButtonRow>
    </form>
  );
}

function FormPage({ c, wrong = false }: { c: Context; wrong?: boolean }) {
  return (
    <>
      <Bar
        c={c}
        tone="white"
        title={c.say("秋の新作展", "Autumn show")}
        status={<StatusButton statusId={3} href="/dialog" />}
      />
      <Container as="main" id="main" width="form">
        <PageHeader
          title={c.say("イベント設定", "Event settings")}
          breadcrumbs={[
            { label: c.say("スペース一覧", "Spaces"), href: "/cards" },
            { label: c.say("表参道ショールーム", "Omotesando showroom"), href: "/table" },
          ]}
        />
        {wrong && (
          <div className="mb-6">
            <FormErrorSummary
              errors={[
                {
                  id: "eventName",
                  message: c.say(
                    "イベント名は 32 文字以内で入力してください。",
                    "Event name: please use at most 32 characters.",
                  ),
                },
                {
                  id: "startDate",
                  message: c.say(
                    "開始日時は終了日時より前にしてください。",
                    "Start: must be before the end.",
                  ),
                },
                {
                  id: "publishPassword",
                  message: c.say("パスワードを入力してください。", "Please enter a password."),
                },
              ]}
            />
          </div>
        )}
        <EventFields c={c} wrong={wrong} />
      </Container>
    </>
  );
}

function spaces(c: Context) {
  return [
    [c.say("表参道ショールーム", "Omotesando showroom"), 3, 4],
    [c.say("京都町家ギャラリー", "Kyoto machiya gallery"), 2, 1],
    [
      c.say(
        "秋冬コレクション発表会場（本館二階）",
        "Autumn and winter collection, main building, second floor",
      ),
      1,
      2,
    ],
    [c.say("横浜倉庫", "Yokohama warehouse"), 4, 7],
  ] as const;
}

function CardsPage({ c, children }: { c: Context; children?: ReactNode }) {
  return (
    <>
      <Bar c={c} title={c.say("スペース一覧", "Spaces")} />
      <Container as="main" id="main">
        <PageHeader
          title={c.say("スペース一覧", "Spaces")}
          description={c.say("10 スペース中 4 スペースを使用中", "4 of 10 spaces in use")}
          action={
            <LinkButton variant="primary" icon="plus" href="/dialog">
              {c.say("新しいスペース", "New space")}
            </LinkButton>
          }
        />
        <Menu align="start" trigger={c.say("並び順：名前順（あ→ん）", "Sorted by name")}>
          <MenuLink href="/cards?sort=name">{c.say("名前順", "Name")}</MenuLink>
        </Menu>
        <CardGrid>
          {spaces(c).map(([title, status, count], index) => (
            <li key={title}>
              <Card
                title={title}
                href="/table"
                picture={index === 3 ? null : room([28, 205, 140][index] ?? 0)}
                badge={<StatusBadge statusId={status} />}
                meta={c.say(`イベント ${count} 件`, `${count} events`)}
                actions={
                  <Menu
                    trigger={<Icon name="more" />}
                    label={c.say(`${title} の操作`, `Actions for ${title}`)}
                  >
                    <MenuLink href="/form" icon="edit">
                      {c.say("名前を変更", "Rename")}
                    </MenuLink>
                    <MenuDivider />
                    <MenuLink href="/dialog" icon="trash">
                      {c.say("削除", "Delete")}
                    </MenuLink>
                  </Menu>
                }
              />
            </li>
          ))}
        </CardGrid>
        <div className="mt-8">
          <Pager previousHref={null} nextHref="/cards?after=4" range={{ from: 1, to: 4, total: 23 }} />
        </div>
        {children}
      </Container>
    </>
  );
}

function TablePage({ c }: { c: Context }) {
  const rows = [
    {
      id: "1",
      name: c.say("秋の新作展", "Autumn show"),
      status: 3,
      start: "2026/11/01 10:00",
      visits: 12_480,
    },
    { id: "2", name: c.say("冬のギフト", "Winter gifts"), status: 2, start: "2026/12/01 10:00", visits: 0 },
    { id: "3", name: c.say("春の準備", "Preparing for spring"), status: 1, start: "—", visits: 0 },
    { id: "4", name: c.say("夏の涼", "Cool summer"), status: 4, start: "2026/07/01 09:00", visits: 98_112 },
  ];
  return (
    <>
      <Bar c={c} title={c.say("スペース詳細", "Space Detail")} />
      <Container as="main" id="main">
        <PageHeader
          title={c.say("表参道ショールーム", "Omotesando showroom")}
          breadcrumbs={[{ label: c.say("スペース一覧", "Spaces"), href: "/cards" }]}
          action={
            <LinkButton variant="primary" icon="plus" href="/dialog">
              {c.say("新しいイベント", "New event")}
            </LinkButton>
          }
        />
        <LinkTabs
          label={c.say("パネル", "Panels")}
          current={1}
          tabs={[
            { href: "/cards", label: c.say("設定", "Settings") },
            { href: "/table", label: c.say("タグ", "Tags") },
            { href: "/form", label: c.say("メディア", "Media") },
            { href: "/states", label: c.say("履歴", "History") },
          ]}
        />
        <Table
          caption={c.say("表参道ショールームのイベント", "Events of the Omotesando showroom")}
          columns={[
            {
              key: "name",
              header: c.say("イベント", "Event"),
              sort: { href: "/table?sort=name" },
              cell: (row) => (
                <a
                  href="/form"
                  className="inline-flex min-h-10 items-center underline-offset-4 hover:underline"
                >
                  {row.name}
                </a>
              ),
            },
            {
              key: "status",
              header: c.say("ステータス", "Status"),
              cell: (row) => <StatusBadge statusId={row.status} />,
            },
            {
              key: "start",
              header: c.say("開始日時", "Start"),
              sort: { href: "/table?sort=start", direction: "desc" },
              cell: (row) => row.start,
            },
            {
              key: "visits",
              header: c.say("訪問数", "Visits"),
              align: "end",
              sort: { href: "/table?sort=visits" },
              cell: (row) => row.visits.toLocaleString("en"),
            },
          ]}
          rows={rows}
          rowKey={(row) => row.id}
          actions={(row) => (
            <Menu
              trigger={<Icon name="more" />}
              label={c.say(`${row.name} の操作`, `Actions for ${row.name}`)}
            >
              <MenuLink href="/form" icon="edit">
                {c.say("編集", "Edit")}
              </MenuLink>
              <MenuLink href="/form" icon="copy">
                {c.say("複製", "Duplicate")}
              </MenuLink>
            </Menu>
          )}
        />
        <Pager
          previousHref="/table?before=1"
          nextHref="/table?after=4"
          range={{ from: 21, to: 24, total: 57 }}
        />
      </Container>
    </>
  );
}

function StatesPage({ c }: { c: Context }) {
  return (
    <>
      <Bar c={c} />
      <Container as="main" id="main">
        <PageHeader title={c.say("空・エラー・読み込み中", "Empty, failed, loading")} />
        <div className="grid gap-12">
          <EmptyState
            icon="cube"
            title={c.say("スペースはまだありません", "No spaces yet")}
            action={
              <LinkButton variant="primary" href="/dialog" icon="plus">
                {c.say("新しいスペース", "New space")}
              </LinkButton>
            }
          >
            {c.say(
              "スペースは 3D の場所です。最初のスペースを作成して、イベントを公開しましょう。",
              "A space is a place in 3D. Make the first one and publish an event in it.",
            )}
          </EmptyState>
          <ErrorState
            title={c.say("イベントを読み込めませんでした", "The events could not be loaded")}
            status="503 Service Unavailable"
            retryHref="/states"
          >
            {c.say("保存済みの内容は失われていません。", "Nothing that was saved is lost.")}
          </ErrorState>
          <SkeletonCards count={3} />
          <SkeletonTable rows={3} />
          <SkeletonText />
        </div>
      </Container>
    </>
  );
}

function DialogPage({ c }: { c: Context }) {
  return (
    <CardsPage c={c}>
      <Dialog
        title={c.say("新しいスペース", "New space")}
        closeHref="/cards"
        footer={
          <ButtonRow>
            <Button variant="primary" type="submit" form="new-space">
              {c.say("スペースを作成", "Create the space")}
            </Button>
            <LinkButton href="/cards">{c.say("キャンセル", "Cancel")}</LinkButton>
          </ButtonRow>
        }
      >
        <form id="new-space" method="post" className="flex flex-col gap-6">
          <TextField name="name" label={c.say("スペース名", "Name of the space")} required />
          <TextField
            name="showcase"
            label={c.say("ショーケース ID または URL", "Showcase ID or URL")}
            hint={c.say("11 文字の英数字", "11 letters and digits")}
            required
          />
        </form>
      </Dialog>
    </CardsPage>
  );
}

function LoginPage({ c }: { c: Context }) {
  return (
    <Container as="main" id="main" width="narrow" className="flex min-h-dvh flex-col justify-center">
      <div className="mb-8 flex items-center justify-between">
        <Brand />
        <LanguageSwitch lang={c.lang} url={c.url} />
      </div>
      <h1 className="mb-6 text-xl leading-title font-semibold">{c.say("ログイン", "Log in")}</h1>
      <form method="post" className="flex flex-col gap-5">
        <TextField
          name="email"
          type="email"
          autoComplete="username"
          label={c.say("メールアドレス", "E-mail address")}
          required
        />
        <PasswordField
          name="password"
          autoComplete="current-password"
          label={c.say("パスワード", "Password")}
          required
        />
        <Button variant="primary" type="submit">
          {c.say("ログイン", "Log in")}
        </Button>
      </form>
    </Container>
  );
}

/** One page of the gallery, the same on the server and in the browser. */
export function Gallery({ page, lang, url }: { page: PageName; lang: Lang; url: string }) {
  const c: Context = { lang, url, say: (ja, en) => (lang === "ja" ? ja : en) };
  return (
    <I18nextProvider i18n={translations[lang].i18n}>
      {page === "parts" && <Parts c={c} />}
      {page === "form" && <FormPage c={c} />}
      {page === "errors" && <FormPage c={c} wrong />}
      {page === "cards" && <CardsPage c={c} />}
      {page === "table" && <TablePage c={c} />}
      {page === "dialog" && <DialogPage c={c} />}
      {page === "states" && <StatesPage c={c} />}
      {page === "login" && <LoginPage c={c} />}
      {page === "message" && (
        <MessagePage
          icon="lock"
          title={c.say("このイベントは現在公開されていません", "This event is not open")}
          link={{ href: "/login", label: c.say("スタートページへ", "Go to the start page") }}
          note="8f2c-41d0"
        >
          <p>
            {c.say(
              "リンクが無効になったか、まだ開始していません。お心当たりのある方は、主催者にお問い合わせください。",
              "The link is closed, or the event has not begun. If you expected to see it, please ask the organiser.",
            )}
          </p>
        </MessagePage>
      )}
    </I18nextProvider>
  );
}
