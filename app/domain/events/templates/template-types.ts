import type { EventTag, Localized } from "../../shared/model";

/** A tag of a template, with the stop of the tour that shows it. */
export interface TemplateTag extends Pick<EventTag, "title" | "body" | "color" | "icon"> {
  /** Keywords in every language. The tag of an event gets those of one language. */
  readonly keywords: readonly Localized[];
  readonly stop: { readonly title: Localized; readonly text: Localized };
}

/** Texts and tags of a template. Its tour shows the tags in their order. */
export interface EventTemplate {
  /** The suggested name of the event. */
  readonly name: Localized;
  readonly detail: Localized;
  readonly tags: readonly TemplateTag[];
}
