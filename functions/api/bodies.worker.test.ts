/** Whatever a body holds, its caller is told by the names that it has itself, in words, and never that we failed. */
import { randomUUID } from "node:crypto";
import { beforeEach, expect, it, vi } from "vitest";
import { askApi } from "../../tests/support/api";
import { houseForEachTest, PASSWORD, type Person } from "../../tests/support/house";
import { createApi } from ".";

const house = houseForEachTest();
let owner: Person;
let ticket: string;
let ids: Readonly<Record<string, string>>;

beforeEach(async () => {
  owner = await house.addUser({ email: "owner@demo.example" });
  const { email } = owner.user;
  ({ ticket } = await house.services.sessions.logIn({ email, password: PASSWORD, userAgent: "", ip: "1" }));
  const { space, eventId } = await house.addSpace(owner);
  const { actor } = owner;
  const folder = await house.services.tree.createFolder({ actor, folderType: "space", name: "a" });
  const begun = { actor, fileName: "a.png", byteSize: 10, fingerprint: "" };
  const upload = await house.services.uploads.startUpload(begun);
  const item = await house.addItem(owner);
  ids = { spaces: space.id, events: eventId, folders: folder.id, uploads: upload.id, media: item.id };
});

const send = (method: string, path: string, body: BodyInit, type = "application/json") =>
  askApi(
    house,
    new Request(`https://hiroba.test/api${path}`, {
      method,
      headers: { authorization: `Bearer ${ticket}`, "content-type": type },
      body,
    }),
  );

/** Every call with a body, and what a body of it may hold. Ids of the path are those of the house. */
const CALLS: readonly (readonly [call: string, fields: readonly string[]])[] = [
  ["POST /v1/folders", ["uuid", "name", "parent_uuid", "folder_type", "owner_uuid"]],
  ["PUT /v1/folders/:uuid", ["name", "parent_uuid", "version", "owner_uuid", "group_id", "folder_type"]],
  ["POST /v1/folders/:uuid/copy", ["parent_uuid"]],
  ["POST /v1/spaces", ["uuid", "name", "sid", "source", "poster_media_uuid", "folder_uuid", "owner_uuid"]],
  [
    "PUT /v1/spaces/:uuid",
    ["name", "folder_uuid", "version", "source", "poster_media_uuid", "owner_uuid", "group_id"],
  ],
  ["POST /v1/spaces/:uuid/copy", ["folder_uuid"]],
  ["POST /v1/media", ["url", "title", "folder_uuid", "owner_uuid"]],
  ["PUT /v1/media/:uuid", ["title", "name", "folder_uuid", "version", "owner_uuid", "group_id"]],
  ["PUT /v1/media/:uuid/web", ["url", "title", "version"]],
  ["PUT /batch_update", ["folders", "spaces", "media"]],
  ["POST /batch_copy", ["folders", "spaces", "media"]],
  ["POST /batch_delete", ["folders", "spaces", "media"]],
  ["POST /batch_restore", ["folders", "spaces", "media"]],
  [
    "POST /v1/uploads",
    ["file_name", "byte_size", "folder_uuid", "replaces_uuid", "owner_uuid", "fingerprint"],
  ],
  ["POST /v1/uploads/:uuid/complete", ["media_uuid"]],
  ["POST /copy_event", ["target_event_uuid", "space_uuid", "event_name", "from_space_uuid"]],
  ["POST /v1/events", ["space_uuid", "event_name", "start_date", "status_id", "url_params", "sp_store_url"]],
  ["PUT /v1/events/:uuid", ["space_uuid", "version", "event_name", "end_date", "event_detail", "url_params"]],
  ["POST /v1/events/:uuid/content", ["commands"]],
  ["POST /v1/events/:uuid/content/copy", ["event_uuid", "tag_uuids", "media_uuids"]],
  [
    "POST /v1/event_tags",
    ["event_uuid", "uuid", "title", "body", "color", "icon", "keywords", "link_url", "position", "stem"],
  ],
  [
    "PUT /v1/event_tags/:uuid",
    ["event_uuid", "version", "title", "viewpoint", "media_uuids", "product", "hidden"],
  ],
  [
    "POST /v1/event_media",
    ["event_uuid", "uuid", "library_item_uuid", "title", "description", "placement", "hidden"],
  ],
  ["PUT /v1/event_media/:uuid", ["event_uuid", "version", "title", "description", "placement", "hidden"]],
  ["POST /authenticate_publish_event_password", ["event_uuid", "token", "password", "mode"]],
  ["POST /cas/tickets", ["email", "password"]],
  ["POST /default/user/retrieve_password", ["email"]],
  ["POST /default/user/request_reset_password", ["email"]],
  ["POST /default/user/reset_password", ["token", "password", "password_confirmation"]],
];
/** Calls that have a body of bytes, or none. */
const BARE = [
  "PUT /v1/uploads/:uuid/parts/:number",
  "PUT /v1/media/:uuid/thumbnail",
  "POST /v1/folders/:uuid/restore",
  "POST /v1/spaces/:uuid/restore",
  "POST /v1/media/:uuid/restore",
  "POST /v1/events/:uuid/restore",
];

const nested = (depth: number) => `${'{"kind":"panorama","nodes":['.repeat(depth)}1${"]}".repeat(depth)}`;
/** What nobody means by any field, as JSON. */
const WRONG = [
  ...['"zzz"', "{}", "[]", "[[]]", "true", "-1", "1e400", "1.5", '"\\u0000"', '"\\ud800"', '""', "null"],
  ...['{"uuid":"zzz"}', '[{"uuid":1,"data":7}]', '{"kind":"panorama","nodes":{}}', '{"__proto__":{"a":1}}'],
  ...['{"kind":"model"}', `"${"あ".repeat(100_000)}"`, nested(500), `[${"1,".repeat(600)}1]`],
];

const pathOf = (path: string) =>
  path.replace(":uuid", ids[path.split("/")[2] ?? ""] ?? randomUUID()).replace(":number", "1");

it("every call that takes a body is looked at here", () => {
  const { routes } = createApi();
  const known = new Set([...CALLS.map(([call]) => call), ...BARE]);
  const open = routes.filter(({ method }) => method === "POST" || method === "PUT");
  const found = new Set(open.map(({ method, path }) => `${method} ${path}`));
  expect([...found].sort()).toEqual([...known].sort());
});

it.each(CALLS)(
  "%s says what is wrong in words, beside the names that its caller has given",
  async (call, fields) => {
    const failures = vi.spyOn(console, "error");
    const [method = "", path = ""] = call.split(" ");
    for (const field of fields)
      for (const wrong of WRONG) {
        const response = await send(method, pathOf(path), `{"${field}":${wrong}}`);
        const text = await response.text();
        const at = `${field} ${wrong.slice(0, 40)}: ${response.status} ${text.slice(0, 300)}`;
        expect(response.status, at).toBeLessThan(500);
        const answer = JSON.parse(text) as Record<string, unknown>;
        if (response.status >= 400) {
          expect(response.headers.get("content-type"), at).toBe("application/problem+json");
          expect(answer.detail, at).toMatch(/^[A-Z“].* .*[.…]?$/s);
        }
        for (const error of (answer.errors ?? []) as readonly { field: string; message: string }[]) {
          expect(fields, at).toContain(error.field.split(".")[0]);
          expect(error.message, at).toMatch(/^[A-Z“].* .*\.$/s);
        }
      }
    expect(failures).not.toHaveBeenCalled();
    failures.mockRestore();
  },
);

it("what is no JSON object at all is refused by every call", async () => {
  const bodies: readonly (readonly [BodyInit, string, number])[] = [
    ["{", "application/json", 400],
    ["", "application/json", 400],
    ["[]", "application/json", 400],
    ["null", "application/json", 400],
    ['"x"', "application/json", 400],
    ["[".repeat(100_000), "application/json", 400],
    [new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), "application/json", 400],
    ["{}", "text/plain", 415],
    [`{"name":"${"x".repeat(1024 * 1024)}"}`, "application/json", 413],
  ];
  for (const [call] of CALLS)
    for (const [body, type, status] of bodies) {
      const [method = "", path = ""] = call.split(" ");
      const address = path.startsWith("/default") ? `/..${path}` : pathOf(path);
      const response = await send(method, address, body, type);
      expect(response.status, `${call} ${type} ${String(body).slice(0, 20)}`).toBe(status);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(((await response.json()) as { detail: string }).detail).toMatch(/^The body /);
    }
});

it("calls whose body is bytes refuse what is none, and calls without one take any", async () => {
  const huge = new Uint8Array(2 * 1024 * 1024);
  for (const call of BARE)
    for (const body of [new Uint8Array(), new Uint8Array([1, 2, 3]), huge, "{}"]) {
      const [method = "", path = ""] = call.split(" ");
      const response = await send(method, pathOf(path), body, "application/octet-stream");
      expect([400, 404], `${call} ${response.status}`).toContain(response.status);
      expect(((await response.json()) as { detail: string }).detail).toMatch(/^[A-Z].*/);
    }
});
