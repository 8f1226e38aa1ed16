import { expect, it } from "vitest";
import { readPackage } from "./package.schema";
import { PACKAGE_FORMAT, PACKAGE_VERSION } from "./package-format";

it("a duplicate path is reported at the file or the thumbnail that has it", () => {
  const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  const file = (path: string) => ({ path: `media/${path}`, sha256: "0".repeat(64), byte_size: 10 });
  const item = (number: number, paths: readonly [file: string, still: string]) => ({
    uuid: id(number),
    kind: "image",
    title: "a",
    file_name: "a.png",
    mime_type: "image/png",
    file: file(paths[0]),
    still: file(paths[1]),
    web: null,
  });
  const event = {
    uuid: id(1),
    names: { ja: "催し", en: "" },
    details: { ja: "", en: "" },
    start_date: null,
    end_date: null,
    status_id: 1,
    enable_auto_change_status: false,
    url_params: {},
    sp_store_url: null,
    has_store_token: false,
    has_publish_password: false,
    tags: [],
    media: [],
    scene: {},
  };
  const json = {
    format: PACKAGE_FORMAT,
    version: PACKAGE_VERSION,
    kind: "event",
    space: { uuid: id(2), name: "a", source: { kind: "showcase", sid: "abcdefghijk" }, poster_uuid: null },
    events: [event],
    library: [item(3, ["a.png", "b.jpg"]), item(4, ["c.png", "b.jpg"]), item(5, ["c.png", "d.jpg"])],
  };
  expect(readPackage(json)).toEqual({
    problems: [
      { path: "library.1.still.path", key: "transfer:problem.twice" },
      { path: "library.2.file.path", key: "transfer:problem.twice" },
    ],
  });
});
