import type { ReactNode } from "react";
import { Anchor } from "./anchor";
import { cx } from "./cx";
import { EmptyRoom } from "./empty-room";

export interface CardImage {
  readonly src: string;
  /** The same image in other widths, and its displayed width. */
  readonly srcSet?: string;
  readonly sizes?: string;
  readonly width: number;
  readonly height: number;
  /** Empty when the title beside the image has the same content. */
  readonly alt?: string;
}

export interface CardProps {
  readonly title: string;
  readonly href: string;
  /** With null, `blank` or a drawing of an empty room is shown. */
  readonly image: CardImage | null;
  /** Content instead of a missing image, for example an icon. */
  readonly blank?: ReactNode;
  /** Content in a corner of the image, for example a status. */
  readonly badge?: ReactNode;
  /** Content in another corner, for example a checkbox that selects the card. */
  readonly select?: ReactNode;
  /** Details below the title. */
  readonly meta?: ReactNode;
  /** A menu beside the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/**
 * An item with an image: `<Card title=… href=… image={{ src, width, height }} meta=… />`. The whole card links to `href`. With a mouse, the
 * style sheet shows elements with `data-reveal` while the card (`data-row`) has the pointer or the focus, or a card is selected. The keyboard shortcuts of lists find the link
 * of an item by `data-main`.
 */
export function Card({ title, href, image, blank, badge, select, meta, actions, children }: CardProps) {
  return (
    <article data-row="" className="group/card relative flex flex-col">
      <ImageFrame image={image} blank={blank} className="rounded-lg">
        {badge && <div className="absolute top-2 left-2 rounded bg-paper px-2 py-1">{badge}</div>}
      </ImageFrame>
      {select && (
        <div data-reveal="" className="absolute top-0 right-0 z-10">
          {select}
        </div>
      )}
      <div className="mt-2 flex items-start gap-2">
        <div className="min-w-0 flex-1 pt-1">
          <h2 className="text-base leading-title font-semibold">
            <Anchor
              href={href}
              data-main=""
              className="text-ink no-underline outline-offset-2 group-hover/card:underline after:absolute after:inset-0 after:rounded-lg"
            >
              {title}
            </Anchor>
          </h2>
          {meta && <div className="mt-1 text-sm text-muted">{meta}</div>}
        </div>
        {actions && (
          <div data-reveal="" className="relative z-10 -mr-2 has-[details[open]]:z-20">
            {actions}
          </div>
        )}
      </div>
      {children && <div className="relative z-10 mt-2">{children}</div>}
    </article>
  );
}

/** List of cards in as many columns as fit. Each child is an `<li>`: `<CardGrid>{spaces.map((space) => <li key=…><Card … /></li>)}</CardGrid>`. */
export function CardGrid({ children }: { readonly children: ReactNode }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-x-6 gap-y-8">
      {children}
    </ul>
  );
}

export interface ImageFrameProps {
  readonly image: CardImage | null;
  readonly blank?: ReactNode;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** An image in 16:9, or a placeholder (by default a drawing of an empty room): `<ImageFrame image={…} />`. */
export function ImageFrame({ image, blank, className, children }: ImageFrameProps) {
  return (
    <div className={cx("relative aspect-picture overflow-hidden bg-surface", className)}>
      {image ? (
        <img
          // Must precede src, because some browsers load src as soon as it is set.
          sizes={image.sizes}
          srcSet={image.srcSet}
          src={image.src}
          width={image.width}
          height={image.height}
          alt={image.alt ?? ""}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      ) : blank ? (
        <span className="absolute inset-0 grid place-items-center text-faint">{blank}</span>
      ) : (
        <span className="text-edge">
          <EmptyRoom />
        </span>
      )}
      {children}
    </div>
  );
}
