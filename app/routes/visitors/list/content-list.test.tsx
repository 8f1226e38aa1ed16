import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { languages } from "~/i18n/languages.server";
import { I18nextProvider } from "~/i18n/translation";
import type { Scene } from "../scene/scene-types";
import { ContentList, type WholeListData } from "./content-list";

const text = (title: string) => ({ text: title, lang: "en" });
const mediaItem = { id: "m", kind: "audio", title: text("Sound"), description: text(""), src: "/media/x" };
const tag = {
  id: "t",
  title: text("Tag"),
  body: { blocks: [], lang: "en" },
  color: "#000000",
  icon: "info",
  keywords: [],
  mediaIds: [],
  linkUrl: null,
  product: null,
  isPlaced: true,
};

const render = (scene: { tags: readonly object[]; media: readonly object[] }, wholeList?: WholeListData) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={languages.en.i18n}>
      <ContentList
        scene={scene as unknown as Scene}
        accessibleList={{
          openPinId: null,
          focusedPinId: null,
          openPin: () => {},
          entry: (id) => ({ id, onFocus() {}, onBlur() {} }),
        }}
        wholeList={wholeList ?? null}
      />
    </I18nextProvider>,
  );

it.each([
  ["tags and media", render({ tags: [tag], media: [mediaItem] }), "ol"],
  ["only media", render({ tags: [], media: [mediaItem] }), "ul"],
  [
    "only media, on a later page of a list with tags",
    render({ tags: [], media: [mediaItem] }, { tagCount: 50, untaggedMediaCount: 1, hasTaggedMedia: false }),
    "ul",
  ],
])("the skip link's target is the first list of %s", (_, html, element) => {
  expect(html.match(/<\w+ id="list"/g)).toEqual([`<${element} id="list"`]);
});
