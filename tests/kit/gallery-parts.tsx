/** Page of the gallery with small components, for example buttons, icons and toasts. */
import { useState } from "react";
import { Brand } from "~/components/brand";
import { Button, ButtonRow, IconButton, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { Icon, type IconName, TAG_ICONS } from "~/components/icon";
import { PageHeader } from "~/components/page-header";
import { Meter } from "~/components/status/meter";
import { Notice } from "~/components/status/notice";
import { StatusBadge } from "~/components/status/status";
import { StatusTimeline } from "~/components/status/status-timeline";
import { Toast } from "~/components/status/toast";
import { VersionText } from "~/components/version-text";
import { type Context, GalleryTopBar, NOW, Section, ZONE } from "./gallery-frame";

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

export function PartsPage({ c }: { c: Context }) {
  return (
    <>
      <GalleryTopBar c={c} />
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
          <Brand />
        </Section>
        <VersionText version="0.1.0" />
        <Toasts c={c} />
      </Container>
    </>
  );
}

export function Toasts({ c }: { c: Context }) {
  const [count, setCount] = useState(1);
  return (
    <>
      <Button id="another-toast" onClick={() => setCount(count + 1)}>
        {c.say("もう一度", "Once more")}
      </Button>
      <Button id="failed-toast" onClick={() => setCount(-count)}>
        {c.say("失敗", "Failure")}
      </Button>
      <Toast
        toast={
          count < 0
            ? {
                id: "failed",
                tone: "danger",
                message: c.say("元に戻せませんでした。", "Couldn't undo the change."),
              }
            : { id: String(count), message: c.say("イベントを更新しました。", "Event has been updated.") }
        }
      />
    </>
  );
}
