/** Compares the calls that the specification lists (specification §7), in its client's spelling, with the table of calls. */
import { expect, it } from "vitest";
import definitions from "../../../public/url_params.json";
import { bodyFields } from "../../../tests/support/api/any-call";
import { CALLS, normalPath } from "..";
import { fullPath } from "./document";

/** Method, path with ids in braces, and the body fields that the specification names. */
const SPECIFIED: readonly (readonly [method: string, address: string, ...fields: string[]])[] = [
  ["POST", "/default/user/retrieve_password", "email"],
  ["POST", "/default/user/request_reset_password/"],
  ["POST", "/default/user/reset_password/"],
  ["GET", "/api/cas/validate.json/{ticket}"],
  ["POST", "/api/cas/tickets.json/", "email", "password"],
  ["DELETE", "/api/cas/tickets.json/{ticket}"],

  ["GET", "/api/v1/folders.json/"],
  ["POST", "/api/v1/folders.json/", "uuid", "parent_uuid", "owner_uuid", "folder_type", "name"],
  ["PUT", "/api/v1/folders/{uuid}.json/", "parent_uuid", "owner_uuid", "folder_type", "name"],
  ["DELETE", "/api/v1/folders/{uuid}"],
  ["PUT", "/api/batch_update", "folders", "spaces"],
  ["POST", "/api/batch_delete", "folders", "spaces"],
  ["GET", "/api/v1/spaces.json"],
  ["GET", "/api/v1/spaces/uuid/{uuid}"],
  ["POST", "/api/v1/spaces.json/", "uuid", "folder_uuid", "owner_uuid", "name"],
  ["PUT", "/api/v1/spaces/{uuid}.json/", "folder_uuid", "owner_uuid", "name"],
  ["DELETE", "/api/v1/spaces/{uuid}"],

  ["GET", "/api/v1/events"],
  ["GET", "/api/v1/events/uuid/{uuid}.json"],
  ["GET", "/api/v1/events/space_uuid/{uuid}"],
  ...(
    [
      ["POST", "/api/v1/events.json/", "space_uuid"],
      ["PUT", "/api/v1/events/{uuid}.json"],
    ] as const
  ).map(
    ([method, url, ...more]) =>
      [
        method,
        url,
        ...more,
        "event_name",
        "start_date",
        "end_date",
        "status_id",
        "enable_auto_change_status",
        "sp_access_token",
        "sp_store_url",
        "event_detail",
        "url_params",
      ] as [string, string, ...string[]],
  ),
  ["DELETE", "/api/v1/events/{uuid}"],
  ["GET", "/api/fetch_publish_event/{uuid}/{token}"],
  ["GET", "/api/fetch_preview_event/{uuid}/{token}"],
  ["POST", "/api/authenticate_publish_event_password"],
  ["GET", "/api/fetch_event_sid/event_uuid/{uuid}?token"],
  ["GET", "/api/fetch_event_tags/event_uuid/{uuid}?token"],
  ["GET", "/api/fetch_event_media/event_uuid/{uuid}?token"],
  ["POST", "/api/v1/event_tags.json/", "event_uuid"],
  ["PUT", "/api/v1/event_tags/{uuid}.json"],
  ["DELETE", "/api/v1/event_tags/{uuid}"],
  ["POST", "/api/v1/event_media.json/", "event_uuid"],
  ["PUT", "/api/v1/event_media/{uuid}.json"],
  ["DELETE", "/api/v1/event_media/{uuid}"],
  ["POST", "/api/copy_event.json", "target_event_uuid"],
];

/** Equivalent spellings of a path: with and without `.json`, with and without the trailing slash. */
function spellings(url: string): readonly string[] {
  const bare = url.replace(".json", "").replace(/\/$/, "");
  // `.json` follows the name of the resource, or its id.
  const withJsonAtResource = bare.replace(/(\/\{\w+\})?$/, ".json$1");
  return [bare, `${bare}.json`, withJsonAtResource].flatMap((path) => [path, `${path}/`]);
}

const callAt = (method: string, url: string) =>
  CALLS.find((call) => call.method === method && normalPath(fullPath(call.path)) === normalPath(url));

it.each(SPECIFIED)(
  "%s %s is a call of the document in every spelling of its path",
  (method, url, ...fields) => {
    const [path = "", parameter] = url.split("?");
    const call = callAt(method, path);
    expect(call?.id).toBeDefined();
    for (const spelt of spellings(path))
      expect([spelt, callAt(method, spelt)?.id]).toEqual([spelt, call?.id]);
    expect(call && bodyFields(call)).toEqual(expect.arrayContaining(fields));
    if (parameter) expect(Object.keys(call?.query?.shape ?? {})).toContain(parameter);
  },
);

it("the specified calls that create events, tags and media return 201, and the others 200", () => {
  for (const [method, url] of SPECIFIED) {
    const call = callAt(method, url.split("?")[0] ?? "");
    const created = method === "POST" && /v1\/event/.test(url);
    expect([url, call?.status ?? 200]).toEqual([url, created ? 201 : 200]);
  }
});

it("only the calls that create events, tags and media of events, or copy tags and media, return 201", () => {
  const ids = CALLS.filter((call) => call.status === 201).map((call) => call.id);
  expect(ids.sort()).toEqual(["copyContent", "createEvent", "createEventMedium", "createTag"]);
});

it("the file of URL parameters has the fields that its readers use", () => {
  expect(definitions.availableParams.length).toBeGreaterThan(0);
  for (const name of definitions.availableParams)
    expect(definitions.params).toHaveProperty(
      name,
      expect.objectContaining({ type: expect.anything(), description: expect.anything() }),
    );
});
