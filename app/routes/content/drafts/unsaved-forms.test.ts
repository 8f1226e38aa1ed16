import { expect, test } from "vitest";
import type { EventTag } from "~/domain/shared/model";
import type { EditorContent } from "~/features/content/editor/content";
import { NEW_TAG } from "~/forms/content/tag-form-input";
import { formHref } from "../editor/panels";
import { countUnsaved, createUnsavedForms } from "./unsaved-forms";

const ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";
const href = (search: string) => formHref(new URLSearchParams(search));
const draft = (...invalidNames: readonly string[]) => ({
  input: {},
  errors: Object.fromEntries(invalidNames.map((name) => [name, ["shared-owners:errors.field.invalid"]])),
  seenValues: {},
  resetCount: 0,
});
const content = (...tags: readonly EventTag[]) =>
  ({ tags, media: [], scene: { tour: [] }, deleted: {} }) as unknown as EditorContent;
const tag: EventTag = { ...NEW_TAG, id: ID, eventId: ID, sortOrder: 0, version: 1 };

test("restores the input that was discarded last", () => {
  const forms = createUnsavedForms();
  const [tagDraft, startDraft] = [draft("title"), draft("view.x")];
  forms.set("?panel=tags&tag=new", tagDraft);
  forms.set("?panel=start", startDraft);
  forms.discard("?panel=tags&tag=new");
  forms.discard("?panel=start");
  expect([forms.discarded(), forms.all().size]).toEqual([{ href: "?panel=start", draft: startDraft }, 0]);
  forms.restore();
  forms.restore();
  expect([forms.discarded(), [...forms.all()]]).toEqual([null, [["?panel=start", startDraft]]]);
});

test("keeps unsaved input by the URL of its form, and counts it while its item exists", () => {
  const forms = createUnsavedForms();
  let notificationCount = 0;
  const unsubscribe = forms.subscribe(() => {
    notificationCount += 1;
  });
  forms.set(href(`?panel=tags&q=door&tag=${ID}&pick=media`), draft("linkUrl", "position.x"));
  forms.set(href("?panel=tags&tag=new"), draft("title"));
  forms.set(href("?panel=start"), draft("view.x"));
  forms.set(href("?panel=start"), null);
  expect([notificationCount, countUnsaved(forms.all(), content(tag))]).toEqual([
    4,
    { count: 3, hrefs: [`?panel=tags&tag=${ID}`, "?panel=tags&tag=new"] },
  ]);
  // The input of a deleted tag or stop is not counted.
  forms.set(href(`?panel=tour&stop=${ID}`), draft("seconds"));
  expect(countUnsaved(forms.all(), content()).count).toBe(1);
  // Valid input that cannot be saved yet counts as well.
  forms.set(href("?panel=tour&stop=new"), draft());
  expect(countUnsaved(forms.all(), content()).count).toBe(2);
  forms.set(href("?panel=tour&stop=new"), null);
  unsubscribe();
  forms.set(href("?panel=plan"), draft("width"));
  expect(notificationCount).toBe(7);
});
