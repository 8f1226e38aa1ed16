import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { createTemplate, fillTemplate, insertOpenItem } from "#functions/http/pages/page-template";
import { languages } from "~/i18n/languages.server";
import { I18nextProvider } from "~/i18n/translation";
import { MediaItemEntry } from "~/routes/visitors/list/entries";
import type { SceneMediaItem } from "~/routes/visitors/scene/scene-types";

const ID = "c9faaae5-a141-4354-a7ae-7771968e2f4e";

const mediaItem = {
  id: ID,
  kind: "audio",
  title: { text: "広場", lang: "ja" },
  description: { text: "", lang: "ja" },
  src: "/media/x",
  image: null,
  placed: false,
} as unknown as SceneMediaItem;

const render = (open: boolean) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={languages.ja.i18n}>
      <MediaItemEntry
        item={mediaItem}
        open={open}
        hidden={false}
        className="a"
        openPin={() => {}}
        entry={(id) => ({ id: `tag-${id}`, onFocus: () => {}, onBlur: () => {} })}
      />
    </I18nextProvider>,
  );

it("a cached page into which the open media item is inserted equals the page that is rendered with it open", async () => {
  const template = createTemplate(render(false), new Headers(), {
    noncePlaceholder: "#".repeat(22),
    linkable: { path: "/event/published/x", token: "t" },
  });
  const marked = insertOpenItem(template, { kind: "media", id: ID, hasEntry: true });
  expect(await fillTemplate(template, { insertions: marked ?? [] }).text()).toBe(render(true));
  expect(render(true)).not.toBe(render(false));
});
