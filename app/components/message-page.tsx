import type { ReactNode } from "react";
import { Brand } from "./brand";
import { LinkButton } from "./button";
import { Icon, type IconName } from "./icon";

export interface MessagePageProps {
  readonly icon?: IconName;
  readonly title: string;
  /** Explanation of what happened and which data was kept. */
  readonly children: ReactNode;
  /** Link to the next page. */
  readonly link?: { readonly href: string; readonly label: string; readonly reload?: boolean };
  /** Shows the wordmark at the bottom, for pages without a top bar. */
  readonly brand?: boolean;
  /** Additional information in small print, for example a request id. */
  readonly note?: ReactNode;
}

/** A page with a single message, for example "not found", "closed" or "failed": `<MessagePage icon="lock" title=… link={…}>…</MessagePage>`. */
export function MessagePage({ icon = "info", title, children, link, brand = true, note }: MessagePageProps) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto flex min-h-[calc(100dvh-3.5rem)] w-full max-w-form flex-col justify-center px-4 py-16 sm:px-6"
    >
      <Icon name={icon} size={40} className="mb-6 -ml-1.5 text-accent" />
      <h1 className="text-xl leading-title font-semibold">{title}</h1>
      <div className="mt-3 flex max-w-prose flex-col gap-2 text-base text-muted text-phrase">{children}</div>
      {link && (
        <div className="mt-8">
          <LinkButton variant="primary" href={link.href} reload={link.reload}>
            {link.label}
          </LinkButton>
        </div>
      )}
      {note && <div className="mt-8 text-xs text-faint">{note}</div>}
      {brand && (
        <div className="mt-16 border-t border-line pt-4">
          <Brand />
        </div>
      )}
    </main>
  );
}
