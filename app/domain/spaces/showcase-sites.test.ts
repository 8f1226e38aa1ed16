import { expect, it } from "vitest";
import { isShowcaseScript, showcaseOrigin } from "./showcase-sites";

it("recognises a showcase's URL by its whole origin", () => {
  expect(showcaseOrigin("https://my.matterport.com/show?m=SxQL3iGyoDo")).toBe("https://my.matterport.com");
  expect(showcaseOrigin("https://my.matterportvr.cn/show")).toBe("https://my.matterportvr.cn");
  for (const url of [
    ...["http://my.matterport.com/show", "https://my.matterport.com.example/", "https://x@evil.example/"],
    ...["https://my.matterport.com:8443/show", "javascript:alert(1)", "", "null"],
  ])
    expect(showcaseOrigin(url), url).toBe(null);
});

it("rejects scripts of other sites, and scripts without TLS", () => {
  expect(isShowcaseScript("https://static.matterport.com/showcase-sdk/client/1/sdk-client.js")).toBe(true);
  expect(isShowcaseScript("https://api.matterport.com/sdk/client.js")).toBe(true);
  for (const url of [
    ...["http://static.matterport.com/a.js", "https://static.matterport.com.example/a.js", "/a.js"],
    ...[
      "data:text/javascript,1",
      "blob:https://static.matterport.com/1",
      "https://example.com/static.matterport.com",
    ],
  ])
    expect(isShowcaseScript(url), url).toBe(false);
});
