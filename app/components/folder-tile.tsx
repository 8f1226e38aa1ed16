import type { ReactNode } from "react";
import { Anchor } from "./anchor";
import { Icon } from "./icon";

export interface FolderTileProps {
  readonly name: string;
  readonly href: string;
  /** Details below the name. */
  readonly meta?: ReactNode;
  /** A checkbox that selects the folder. */
  readonly select?: ReactNode;
  /** A menu at the end of the tile. */
  readonly actions?: ReactNode;
}

/**
 * A tile for a folder in a list of cards: `<FolderTile name=… href=… meta=… />`. The whole tile links to `href`.
 * With a mouse, the style sheet shows elements with `data-reveal` only while their row (`data-row`) has the pointer or the focus, or a row is selected.
 */
export function FolderTile({ name, href, meta, select, actions }: FolderTileProps) {
  return (
    <article
      data-row=""
      className="group/tile relative flex h-full items-center gap-2 rounded-lg border border-line bg-paper py-2 pr-2 pl-3 hover:border-edge"
    >
      <Icon name="folder" size={24} className="text-accent" />
      <div className="min-w-0 flex-1 pl-1">
        <h2 className="text-sm leading-title font-semibold">
          <Anchor
            href={href}
            data-main=""
            className="inline-flex min-h-6 items-center text-ink no-underline group-hover/tile:underline after:absolute after:inset-0 after:rounded-lg"
          >
            {name}
          </Anchor>
        </h2>
        {meta && <div className="text-xs text-muted">{meta}</div>}
      </div>
      <div data-reveal="" className="relative z-10 flex shrink-0 items-center has-[details[open]]:z-20">
        {select}
        {actions}
      </div>
    </article>
  );
}

/** Folder tiles in the same columns as a CardGrid: `<FolderTiles label=…>{folders.map(…)}</FolderTiles>`. */
export function FolderTiles({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-x-6 gap-y-3"
    >
      {children}
    </ul>
  );
}
