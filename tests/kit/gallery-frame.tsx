/** Layout of the pages of the component gallery, which shows the components of app/components to tests. */
import type { ReactNode } from "react";
import type { CardImage } from "~/components/card";
import { TopBar } from "~/components/menus/top-bar";
import { SkipLinks } from "~/components/visually-hidden";
import type { Lang } from "~/domain/shared/model";

export interface Context {
  readonly lang: Lang;
  readonly url: string;
  /** Returns the Japanese or the English text. */
  readonly say: (ja: string, en: string) => string;
}

export const NOW = "2026-11-20T04:00:00.000Z";
export const ZONE = "Asia/Tokyo";

/** An image of a room in tones of one hue, for cards. */
export function roomImage(hue: number): CardImage {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360"><rect width="640" height="360" fill="hsl(${hue} 18% 86%)"/><path d="M0 0 200 100v140L0 360z" fill="hsl(${hue} 20% 76%)"/><path d="M640 0 440 100v140l200 120z" fill="hsl(${hue} 22% 70%)"/><path d="M0 360 200 240h240l200 120z" fill="hsl(${hue} 14% 56%)"/><path d="M0 0h640L440 100H200z" fill="hsl(${hue} 16% 94%)"/><rect x="250" y="130" width="140" height="80" fill="hsl(${hue} 40% 40%)"/></svg>`;
  return { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, width: 640, height: 360 };
}

export function GalleryTopBar({
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
      <SkipLinks />
      <TopBar
        brandHref="/user-list"
        tone={tone}
        title={title}
        status={status}
        screens={[{ href: "/space-list", label: c.say("スペース一覧", "Spaces"), current: true }]}
        lang={c.lang}
        url={c.url}
        user={{
          name: c.say("山田 花子", "Hanako Yamada"),
          detail: "owner@demo.example",
          logoutAction: "/logout",
          onShortcuts: () => {},
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

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-12">
      <h2 className="mb-4 text-lg leading-title font-semibold">{title}</h2>
      {children}
    </section>
  );
}
