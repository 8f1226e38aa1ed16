import type { ReactNode } from "react";
import { Brand } from "~/components/brand";
import { LanguageSwitch, PreferredLanguageLink } from "~/components/menus/language-switch";
import { VersionText } from "~/components/version-text";
import type { PublicLayoutData } from "./public-layout-data";

export interface PublicLayoutProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly layout: PublicLayoutData;
  readonly children: ReactNode;
}

/** Layout of an account page that needs no log-in and contains one form or question. */
export function PublicLayout({ title, lead, layout, children }: PublicLayoutProps) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-8 px-4 py-12"
    >
      <header className="grid gap-6">
        <Brand />
        <div>
          <h1 className="text-xl leading-title font-semibold">{title}</h1>
          <p className="mt-2 text-muted wrap-anywhere text-phrase">{lead}</p>
        </div>
      </header>
      {children}
      <PreferredLanguageLink lang={layout.lang} url={layout.url} />
      <footer className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-4">
        <LanguageSwitch lang={layout.lang} url={layout.url} className="-ml-2" />
        <VersionText version={layout.version || null} />
      </footer>
    </main>
  );
}
