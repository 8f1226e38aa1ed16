import { useState } from "react";
import { Icon } from "./icon";

/** A player of another site, ready to be put into a page. */
export interface WebFrame {
  /** Its page there: where people without scripts go, since no such player plays without them. */
  readonly page: string;
  /** Its still picture, from here. */
  readonly picture: string | null;
  /** What pressing it does, in words. */
  readonly label: string;
  /** The properties of its frame. */
  readonly frame: {
    readonly src: string;
    readonly title: string;
    readonly sandbox: string;
    readonly allow: string;
    readonly referrerPolicy: "strict-origin-when-cross-origin";
    readonly style: { readonly aspectRatio: number };
  };
}

/** A still picture that becomes the player when it is pressed: `<WebPlayer {...frame} />`. Nothing is loaded from there before. */
export function WebPlayer({ page, picture, label, frame }: WebFrame) {
  const [plays, setPlays] = useState(false);
  const look = "relative block max-h-[60vh] w-full overflow-hidden rounded bg-surface";
  return plays ? (
    <iframe {...frame} className={look} ref={(element) => element?.focus()} />
  ) : (
    <a
      href={page}
      target="_blank"
      rel="noopener noreferrer"
      style={frame.style}
      className={look}
      onClick={(event) => {
        event.preventDefault();
        setPlays(true);
      }}
    >
      {picture && <img src={picture} alt="" loading="lazy" className="size-full object-cover" />}
      <span className="absolute bottom-2 left-2 flex min-h-10 items-center gap-2 rounded bg-paper px-4 text-sm font-semibold">
        <Icon name="play" size={16} />
        {label}
      </span>
    </a>
  );
}
