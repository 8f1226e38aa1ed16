import type { ReactNode } from "react";
import { Brand } from "~/components/brand";
import { LanguageSwitch } from "~/components/language-switch";
import { VersionText } from "~/components/version-text";
import type { Lang } from "~/domain/model";

export interface DoorPageProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly lang: Lang;
  /** The page's own path and query. */
  readonly url: string;
  /** The version text; empty in production (§1). */
  readonly version?: string;
  readonly children: ReactNode;
}

/** A screen outside the shell that asks one thing, before anybody is logged in. */
export function DoorPage({ title, lead, lang, url, version, children }: DoorPageProps) {
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
      <footer className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-4">
        <LanguageSwitch lang={lang} url={url} className="-ml-2" />
        <VersionText version={version || null} />
      </footer>
    </main>
  );
}
