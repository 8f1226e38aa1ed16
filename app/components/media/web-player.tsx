import { useState } from "react";
import { Icon } from "../icon";

/** Embed data for a player of an external site. */
export interface WebFrame {
  /** URL of the media item's page on the external site. Users without scripts are sent there, because the player needs scripts. */
  readonly page: string;
  /** URL of the poster image on our own host. */
  readonly image: string | null;
  /** Label of the play button. */
  readonly label: string;
  /** Properties of the iframe. */
  readonly frame: {
    readonly src: string;
    readonly title: string;
    readonly sandbox: string;
    readonly allow: string;
    readonly referrerPolicy: "strict-origin-when-cross-origin";
    readonly style: { readonly aspectRatio: number };
  };
}

/**
 * A poster that is replaced by the player when it is clicked: `<WebPlayer {...frame} />`. Nothing is loaded from the external site before the click.
 */
export function WebPlayer({ page, image, label, frame }: WebFrame) {
  const [isPlaying, setPlaying] = useState(false);
  const className = "relative block max-h-[60vh] w-full overflow-hidden rounded bg-surface";
  return isPlaying ? (
    <iframe {...frame} className={className} ref={(element) => element?.focus()} />
  ) : (
    <a
      href={page}
      target="_blank"
      rel="noopener noreferrer"
      style={frame.style}
      className={className}
      onClick={(event) => {
        event.preventDefault();
        setPlaying(true);
      }}
    >
      {image && <img src={image} alt="" loading="lazy" className="size-full object-cover" />}
      <span className="absolute bottom-2 left-2 flex min-h-10 items-center gap-2 rounded bg-paper px-4 text-sm font-semibold">
        <Icon name="play" size={16} />
        {label}
      </span>
    </a>
  );
}
