import { DEFAULT_STEM } from "~/domain/content/tag-defaults";
import { EVENT_TEMPLATES } from "~/domain/events/templates/event-template";
import type { EventTemplateName } from "~/domain/events/templates/template-names";
import { LANGS } from "~/domain/shared/lang";
import { TOUR_SECONDS } from "~/domain/shared/limits";
import type { EventTag, Lang, Localized, Viewpoint } from "~/domain/shared/model";
import type { IdSource } from "../shared/ports";
import type { EventValues, NewContent } from "./event-ports";

/** Place of a template's tag in a space: the tag's anchor, and the vector from it to the marker (its stem). */
export type TemplatePlace = Pick<EventTag, "position" | "stem">;

/** The start view and the tag positions of a space, which a template does not have. */
interface TemplateSpace {
  /** The space's start view; null where the viewer chooses it. */
  readonly start: Viewpoint | null;
  /** Places of the tags in their order. A tag without a place is not placed. */
  readonly places?: readonly TemplatePlace[];
}

/**
 * The tags and the tour of a template, with the start view of a space (decision 090). Without `places` the tags are not placed, because no position
 * fits every space; visitors read them in the list, and the tour shows their texts. The tour begins at the start view.
 * @param template its name, and the language of the keywords
 */
export function templateContent(
  { ids }: { readonly ids: IdSource },
  template: { readonly name: EventTemplateName; readonly lang: Lang },
  { start, places = [] }: TemplateSpace,
): NewContent {
  const tagsWithStops = EVENT_TEMPLATES[template.name].tags.map(({ keywords, stop, ...tag }, index) => ({
    stop,
    tag: {
      ...tag,
      id: ids.uuid(),
      keywords: keywords.map((word) => word[template.lang]),
      linkUrl: null,
      mediaIds: [],
      product: null,
      viewpoint: null,
      hidden: false,
      ...(places[index] ?? { position: null, stem: DEFAULT_STEM }),
    },
  }));
  return {
    tags: tagsWithStops.map(({ tag }) => tag),
    scene: {
      startView: start,
      tour: tagsWithStops.map(({ tag, stop }, index) => ({
        ...stop,
        id: ids.uuid(),
        tagId: tag.id,
        viewpoint: index === 0 ? start : null,
        seconds: TOUR_SECONDS.usual,
      })),
      plan: null,
      products: [],
    },
  };
}

/**
 * Adds the texts of a template to the values of a new event where they are missing: the details in each language, and the name in each language if
 * the other language has the suggested name.
 */
export function withTemplateTexts(values: EventValues, template: EventTemplateName): EventValues {
  const { name, detail } = EVENT_TEMPLATES[template];
  const { eventName, eventDetail } = values;
  const isSuggested = LANGS.some((lang) => eventName[lang] === name[lang]);
  return {
    ...values,
    eventName: isSuggested ? fillMissing(eventName, name) : eventName,
    eventDetail: fillMissing(eventDetail, detail),
  };
}

const fillMissing = (text: Localized, defaults: Localized): Localized => ({
  ja: text.ja || defaults.ja,
  en: text.en || defaults.en,
});
