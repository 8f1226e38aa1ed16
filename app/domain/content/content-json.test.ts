import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TOUR_STOPS_MAX } from "../shared/limits";
import { readCommand } from "./command.schema";
import type { ContentCommand } from "./content";
import { apiPath, commandFromJson, commandToJson, resultFromJson, resultToJson } from "./content-json";

const ID = "00000000-0000-4000-8000-000000000001";
const uuid = fc.uuid();
const localized = fc.record({ ja: fc.constantFrom("壺", "a"), en: fc.constantFrom("", "Jar") });
const coordinate = fc.integer({ min: -9999, max: 9999 });
const point = fc.tuple(coordinate, coordinate, coordinate);
const viewpoint = fc.option(
  fc.record(
    {
      position: point,
      yaw: fc.constantFrom(0, 1, -1.5),
      pitch: fc.constantFrom(0, 0.5),
      mode: fc.constantFrom("walk", "orbit", "plan"),
      nodeId: fc.constantFrom("n0", "n-1"),
    },
    { requiredKeys: ["position", "yaw", "pitch", "mode"] },
  ),
  { nil: null },
);
const tagValues = fc.record({
  title: localized,
  body: localized,
  color: fc.constantFrom("#000000", "#a0b0c0"),
  icon: fc.constantFrom("info", "star"),
  keywords: fc.uniqueArray(fc.constantFrom("木", "布")),
  linkUrl: fc.constantFrom(null, "https://example.com/"),
  position: fc.option(point, { nil: null }),
  stem: point,
  viewpoint,
  mediaIds: fc.uniqueArray(uuid, { maxLength: 3 }),
  product: fc.constantFrom(null, { id: "gid://shopify/Product/1", title: "布" }),
  hidden: fc.boolean(),
});
const mediaValues = fc.record({
  title: localized,
  description: localized,
  placement: fc.option(
    fc.record({
      position: point,
      normal: fc.constantFrom([0, 0, 1], [0, 1, 0]),
      width: fc.integer({ min: 1, max: 9 }),
      rotation: fc.constantFrom(0, 1),
      play: fc.constantFrom("click", "auto"),
      reach: fc.integer({ min: 1, max: 9 }),
    }),
    { nil: null },
  ),
  hidden: fc.boolean(),
});
const stop = fc.record({
  id: uuid,
  tagId: uuid,
  viewpoint,
  title: localized,
  text: localized,
  seconds: fc.integer({ min: 1, max: 600 }),
});
const sceneValues = fc.record(
  {
    startView: viewpoint,
    tour: fc.uniqueArray(stop, { maxLength: 3, selector: ({ id }) => id }),
    plan: fc.option(
      fc.record({
        mediaId: uuid,
        center: fc.tuple(coordinate, coordinate),
        width: fc.integer({ min: 1, max: 9 }),
        rotation: fc.constantFrom(0, 1),
      }),
      { nil: null },
    ),
    products: fc.constantFrom([], [{ id: "gid://shopify/Product/1", title: "布" }]),
  },
  { requiredKeys: [] },
);
const version = fc.nat();
const type = fc.constantFrom("tag", "media");
const op = <Name extends string>(name: Name) => fc.constant(name);
const someOf = <T>(values: fc.Arbitrary<T>) =>
  fc
    .tuple(values, fc.nat())
    .map(([all, bits]) =>
      Object.fromEntries(Object.entries(all as object).filter((_, i) => (bits >> i) % 2 === 0)),
    );
const commands = fc.oneof(
  fc.record({ op: op("create_tag"), id: uuid, values: tagValues }),
  fc.record({ op: op("update_tag"), id: uuid, version, values: someOf(tagValues) }),
  fc.record({
    op: op("create_media"),
    id: uuid,
    values: fc.tuple(mediaValues, uuid).map(([values, libraryItemId]) => ({ libraryItemId, ...values })),
  }),
  fc.record({ op: op("update_media"), id: uuid, version, values: someOf(mediaValues) }),
  fc.record({ op: op("delete"), type, id: uuid, version }),
  fc.record({ op: op("restore"), type, id: uuid }),
  fc.record({ op: op("duplicate"), type, id: uuid, newId: uuid }),
  fc.record({
    op: op("move_tags"),
    ids: fc.uniqueArray(uuid, { minLength: 1, maxLength: 5 }),
    before: fc.constant(null),
  }),
  fc.record({ op: op("update_scene"), version, values: sceneValues }),
);

describe("a command", () => {
  it("is parsed to the command that was sent", () => {
    fc.assert(
      fc.property(commands, (command) => {
        const json = JSON.parse(JSON.stringify(commandToJson(command)));
        expect(readCommand(commandFromJson(json))).toEqual({ command });
        expect(readCommand(command)).toEqual({ command });
      }),
    );
  });

  it("of any form causes no exception, and states at least one error if it is rejected", () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom("create_tag", "update_tag", "create_media", "update_scene", "move_tags"),
        (anyValue, name) => {
          for (const raw of [
            anyValue,
            { op: name, ...(anyValue as object) },
            { op: name, uuid: ID, version: 1, values: anyValue, uuids: anyValue },
          ]) {
            const read = readCommand(commandFromJson(raw));
            if ("errors" in read) expect(Object.keys(read.errors).length).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  it("returns all its errors by field", () => {
    const read = readCommand({
      op: "update_scene",
      version: "x",
      values: { tour: Array(TOUR_STOPS_MAX + 1).fill({}), plan: { mediaId: ID, center: [0], width: 1 } },
    });
    expect(read).toEqual({
      id: "",
      errors: {
        version: ["shared-owners:errors.form.version"],
        tour: ["content:errors.tour.tooMany"],
        "plan.center": ["shared-owners:errors.field.position"],
      },
    });
    expect(readCommand({ op: "delete", id: ID, version: 1, type: "event" })).toEqual({
      id: ID,
      errors: { type: ["shared-owners:errors.field.invalid"] },
    });
  });

  it("ignores properties of prototypes and unknown fields", () => {
    const json = JSON.parse(
      `{"op":"update_tag","uuid":"${ID}","version":1,"values":{"__proto__":{"hidden":true},"sort_order":3,"eventId":"x"}}`,
    );
    expect(readCommand(commandFromJson(json))).toEqual({
      command: { op: "update_tag", id: ID, version: 1, values: {} } satisfies ContentCommand,
    });
    const inherited = Object.create({ op: "delete", type: "tag", uuid: ID, version: 1 });
    expect(readCommand(commandFromJson(inherited))).toHaveProperty("errors");
  });
});

describe("a result", () => {
  it("states the location of errors with API names in JSON, and with internal names after parsing", () => {
    const result = {
      ok: false,
      id: ID,
      reason: "invalid",
      errors: {
        "tour.0.tagId": ["content:errors.tour.tag"],
        linkUrl: ["shared-owners:errors.linkUrl.invalid"],
        "plan.mediaId": ["content:errors.plan.mediaItem"],
      },
    } as const;
    const json = resultToJson(result, ID);
    expect(Object.keys(json.errors as object)).toEqual(["tour.0.tag_uuid", "link_url", "plan.media_uuid"]);
    expect(resultFromJson(JSON.parse(JSON.stringify(json)))).toEqual(result);
    expect(apiPath("title.ja")).toBe("title.ja");
  });
});
