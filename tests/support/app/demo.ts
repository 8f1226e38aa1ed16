import { inject } from "vitest";
import { singleText } from "~/domain/events/event-texts";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang, Uuid } from "~/domain/shared/model";
import { type DemoEvent, type DemoMedia, type DemoTag, demoData, demoIds } from "../../../seed/demo";

export { demoIds } from "../../../seed/demo";

/** A demo event with its content, as it was seeded. */
export function demoEvent(id: Uuid = demoIds.mainEvent): {
  readonly event: DemoEvent;
  readonly tags: readonly DemoTag[];
  readonly media: readonly DemoMedia[];
} {
  const data = demoData(inject("seededAt"));
  const event = data.events.find((candidate) => candidate.id === id);
  if (!event) throw new Error(`The demo has no event ${id}`);
  return {
    event,
    tags: data.tags.filter((tag) => tag.eventId === id),
    media: data.media.filter((mediaItem) => mediaItem.eventId === id),
  };
}

/** Path of a demo event's link for visitors. */
export function demoPath(id: Uuid, mode: "published" | "preview" = "published"): string {
  const { event } = demoEvent(id);
  return `/event/${mode}/${id}?token=${mode === "preview" ? event.previewAccessToken : event.accessToken}`;
}

/** Finds the first demo event with this name. */
export function demoEventNamed(name: string): DemoEvent {
  const event = demoData(inject("seededAt")).events.find(
    (candidate) => singleText(candidate.eventName) === name,
  );
  if (!event) throw new Error(`The demo has no event called ${name}`);
  return event;
}

/** All texts of an event's content that its visitors can read in a language, with single spaces. */
export function contentTexts(id: Uuid, lang: Lang): string[] {
  const { event, tags, media } = demoEvent(id);
  return [
    inLanguage(event.eventName, lang).text,
    ...inLanguage(event.eventDetail, lang).text.split(/\n{2,}/),
    ...tags.flatMap((tag) => [tag.title, tag.body]).map((text) => inLanguage(text, lang).text),
    ...media
      .flatMap((mediaItem) => [mediaItem.title, mediaItem.description])
      .map((text) => inLanguage(text, lang).text),
  ]
    .flatMap((text) => text.split(/\n{2,}/))
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => text !== "");
}
