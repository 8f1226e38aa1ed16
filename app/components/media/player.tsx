/** Video and audio in the browser's own players. Subtitles are separate media items, and descriptions are shown beside the player. */

export interface VideoProps {
  readonly src: string;
  readonly title: string;
  /** URL of the poster image. With null, the first frame is shown. */
  readonly poster?: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** Reloads a file after an error, because its URL may have expired (renew-media). */
const reloadExpired = ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }) =>
  void import("./renew-media").then(
    ({ renewMedia }) => renewMedia(currentTarget),
    () => null,
  );

/** A video: `<Video src={url} title="Sea" width={1280} height={720} />`. */
export function Video({ src, title, poster, width, height }: VideoProps) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: subtitles are separate media items
    <video
      src={src}
      onError={reloadExpired}
      poster={poster ?? undefined}
      controls
      preload="metadata"
      playsInline
      aria-label={title}
      width={width ?? undefined}
      height={height ?? undefined}
      className="h-auto max-h-[70vh] w-full rounded bg-surface"
    />
  );
}

/** An audio player that loads nothing before playback: `<Sound src={url} title="Waves" />`. */
export function Sound({ src, title }: Pick<VideoProps, "src" | "title">) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: the description is beside the player
    <audio src={src} onError={reloadExpired} controls preload="none" aria-label={title} className="w-full" />
  );
}
