import type { ReactNode } from "react";
import { Brand } from "~/components/brand";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Card, CardGrid } from "~/components/card";
import { Container } from "~/components/container";
import { Dialog } from "~/components/dialog";
import { PasswordField } from "~/components/fields/password-field";
import { TextField } from "~/components/fields/text-field";
import { Icon } from "~/components/icon";
import { LanguageSwitch } from "~/components/menus/language-switch";
import { LinkTabs } from "~/components/menus/link-tabs";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import { MessagePage } from "~/components/message-page";
import { PageHeader } from "~/components/page-header";
import { Pager } from "~/components/pager";
import { EmptyState, Skeleton } from "~/components/status/states";
import { StatusBadge } from "~/components/status/status";
import { Table } from "~/components/table";
import type { Lang } from "~/domain/shared/model";
import { createI18n } from "~/i18n/create-i18n";
import { shared as sharedEn } from "~/i18n/en/shared";
import { sharedOwners as sharedOwnersEn } from "~/i18n/en/shared-owners";
import { shared as sharedJa } from "~/i18n/ja/shared";
import { sharedOwners as sharedOwnersJa } from "~/i18n/ja/shared-owners";
import { I18nextProvider } from "~/i18n/translation";
import { FormPage } from "./gallery-form";
import { type Context, GalleryTopBar, roomImage } from "./gallery-frame";
import { PartsPage } from "./gallery-parts";
import { PickersPage } from "./gallery-pickers";

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
  "pickers",
  "picker-dialog",
] as const;
export type PageName = (typeof PAGES)[number];

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
      <GalleryTopBar c={c} title={c.say("スペース一覧", "Spaces")} />
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
          <MenuLink href="/cards?sort=name">{c.say("名前（昇順）", "Name")}</MenuLink>
        </Menu>
        <CardGrid>
          {spaces(c).map(([title, status, count], index) => (
            <li key={title}>
              <Card
                title={title}
                href="/table"
                image={index === 3 ? null : roomImage([28, 205, 140][index] ?? 0)}
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
      <GalleryTopBar c={c} title={c.say("スペース詳細", "Space Detail")} />
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
      <GalleryTopBar c={c} />
      <Container as="main" id="main">
        <PageHeader title={c.say("空・読み込み中", "Empty and loading")} />
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
          <Skeleton className="h-4 w-40 rounded-sm" />
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
export function ComponentGallery({ page, lang, url }: { page: PageName; lang: Lang; url: string }) {
  const c: Context = { lang, url, say: (ja, en) => (lang === "ja" ? ja : en) };
  return (
    <I18nextProvider i18n={translations[lang].i18n}>
      {page === "parts" && <PartsPage c={c} />}
      {page === "form" && <FormPage c={c} />}
      {page === "errors" && <FormPage c={c} withErrors />}
      {page === "cards" && <CardsPage c={c} />}
      {page === "table" && <TablePage c={c} />}
      {page === "dialog" && <DialogPage c={c} />}
      {page === "states" && <StatesPage c={c} />}
      {page === "login" && <LoginPage c={c} />}
      {page === "pickers" && <PickersPage c={c} />}
      {page === "picker-dialog" && <PickersPage c={c} inDialog />}
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
