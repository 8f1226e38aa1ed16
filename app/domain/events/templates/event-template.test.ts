import { describe, expect, it } from "vitest";
import { tourField } from "../../content/scene.schema";
import { createTagSchema } from "../../content/tag.schema";
import { LANGS } from "../../shared/lang";
import { EVENT_NAME_MAX } from "../../shared/limits";
import type { Localized } from "../../shared/model";
import { eventDetailField } from "../event.schema";
import { eventNameField } from "../event-create.schema";
import { EVENT_TEMPLATES } from "./event-template";
import { EVENT_TEMPLATE_NAMES } from "./template-names";

describe.each(EVENT_TEMPLATE_NAMES)("the template %s", (name) => {
  const template = EVENT_TEMPLATES[name];

  it("has every text in both languages", () => {
    const texts: readonly Localized[] = [
      template.name,
      template.detail,
      ...template.tags.flatMap(({ title, body, keywords, stop }) => [
        ...[title, body, stop.title, stop.text],
        ...keywords,
      ]),
    ];
    for (const text of texts) for (const lang of LANGS) expect(text[lang]).not.toBe("");
  });

  it("fits the rules of an event, its tags and its tour", () => {
    expect(eventNameField().safeParse(template.name).data).toEqual(template.name);
    for (const text of Object.values(template.name)) expect(text.length).toBeLessThanOrEqual(EVENT_NAME_MAX);
    expect(eventDetailField.safeParse(template.detail).data).toEqual(template.detail);
    expect(template.tags.length).toBeGreaterThanOrEqual(5);
    for (const lang of LANGS)
      for (const { stop: _stop, keywords, ...tag } of template.tags) {
        const values = { ...tag, version: 0, keywords: keywords.map((word) => word[lang]) };
        expect(createTagSchema().parse(values)).toMatchObject(values);
      }
    const tour = template.tags.map(({ stop }) => ({
      ...stop,
      id: crypto.randomUUID(),
      tagId: crypto.randomUUID(),
    }));
    expect(tourField.parse(tour)).toHaveLength(tour.length);
  });

  it("groups its tags by at least three keywords", () => {
    const words = new Set(template.tags.flatMap(({ keywords }) => keywords.map(({ en }) => en)));
    expect(words.size).toBeGreaterThanOrEqual(3);
  });
});
