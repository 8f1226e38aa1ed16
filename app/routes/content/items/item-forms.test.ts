import { expect, test, vi } from "vitest";
import type { ContentCommand } from "~/domain/content/content";
import type { EventTag } from "~/domain/shared/model";
import { NEW_TAG, tagInput } from "~/forms/content/tag-form-input";
import type { ContentPost } from "../editor/content-post.server";
import { handleTagForm } from "./item-forms.server";
import { untitledTag } from "./untitled-tag";

const ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";

test("a tag that waits for its title becomes visible through the form that sets one, also on a page in another language", async () => {
  const tag: EventTag = { ...NEW_TAG, ...untitledTag("ja"), id: ID, eventId: ID, sortOrder: 0, version: 1 };
  const form = new FormData();
  for (const [name, value] of Object.entries(tagInput(tag))) form.set(name, String(value));
  for (const [name, value] of Object.entries({ id: ID, version: "1", "title.ja": "入口" }))
    form.set(name, value);
  form.delete("media");
  const editContent = vi.fn(async (_input: { readonly commands: readonly ContentCommand[] }) => ({
    results: [{ ok: true }],
  }));
  const content = { getContent: async () => ({ tags: [tag], media: [] }), editContent };
  const context = { services: { content }, lang: "en" };
  const request = new Request(`https://hiroba.example/event/${ID}?panel=tags`);
  const redirectResponse = await handleTagForm({
    form,
    context,
    request,
    eventId: ID,
  } as unknown as ContentPost).catch((response: unknown) => response);
  expect(editContent.mock.calls[0]?.[0].commands).toMatchObject([
    { op: "update_tag", values: { title: { ja: "入口", en: "" }, hidden: false } },
  ]);
  expect((redirectResponse as Response).status).toBe(302);
});
