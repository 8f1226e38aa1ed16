import type { MediumFacts } from "~/domain/content/content";
import type { LibraryItem } from "~/domain/shared/model";

/** What an event's medium knows from its item in the library. */
export const factsOf = ({
  kind,
  mimeType,
  byteSize,
  width,
  height,
  duration,
  thumbKey,
  web,
}: Pick<
  LibraryItem,
  "kind" | "mimeType" | "byteSize" | "width" | "height" | "duration" | "thumbKey" | "web"
>): MediumFacts => ({
  kind,
  mimeType,
  byteSize,
  width,
  height,
  duration,
  hasStill: thumbKey !== null,
  web,
});
