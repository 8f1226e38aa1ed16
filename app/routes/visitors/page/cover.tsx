import { atWidth, imageSet } from "~/domain/library/media-url";

/** Cover image of an event. `url` is the image's URL, to which a width is added. */
export const Cover = ({ url }: { readonly url: string }) => (
  <img
    src={atWidth(url, 1280)}
    srcSet={imageSet(url, [640, 1280])}
    sizes="(min-width: 40rem) 36rem, 100vw"
    alt=""
    className="aspect-video w-full rounded-lg bg-surface object-cover"
  />
);
