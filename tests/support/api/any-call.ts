/** Creates URLs and bodies for any API call from the OpenAPI document and existing records. */
import { randomUUID } from "node:crypto";
import { CALLS } from "#functions/api";
import { type Call, isBytesBody, isOwnBody } from "#functions/api/core/call";
import { createApiDocument, fullPath } from "#functions/api/core/document";
import type { Uuid } from "~/domain/shared/model";
import type { TestApp, TestUser } from "../app/test-app";

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema: {
            readonly $ref?: string;
            readonly properties?: object;
            readonly required?: readonly string[];
          };
        }
      >
    >;
  };
}
const document = JSON.parse(JSON.stringify(createApiDocument(CALLS))) as {
  paths: Record<string, Record<string, Operation>>;
};
const operationForCall = ({ path, method }: Call) => document.paths[fullPath(path)]?.[method.toLowerCase()];

/** Fields of a call's body in the document. */
export const bodyFields = (call: Call): readonly string[] =>
  Object.keys(operationForCall(call)?.requestBody?.content["application/json"]?.schema.properties ?? {});

/** Required fields of a call's body in the document. */
export const requiredFields = (call: Call): readonly string[] =>
  operationForCall(call)?.requestBody?.content["application/json"]?.schema.required ?? [];

/** Names of a call's query parameters in the document. */
export const queryParameters = (call: Call): readonly string[] =>
  (operationForCall(call)?.parameters ?? [])
    .filter((parameter) => parameter.in === "query")
    .map(({ name }) => name);

/** One id per kind of record, by the URL segment before the id. */
export type ResourceIds = Readonly<Record<string, Uuid>>;

/** Creates one record of each kind that URLs can refer to, owned by `owner`. There are several folders, events and spaces. */
export async function createOneOfEach(testApp: TestApp, owner: TestUser): Promise<ResourceIds> {
  const { services } = testApp;
  const { actor } = owner;
  const { space, eventId } = await testApp.addSpace(owner);
  await testApp.addSpace(owner, "another one");
  const folder = await services.tree.createFolder({ actor, folderType: "space", name: "a" });
  const upload = await services.uploads.startUpload({
    actor,
    fileName: "a.png",
    byteSize: 10,
    fingerprint: "",
  });
  const item = await testApp.addItem(owner);
  const mediaItem = await testApp.addMediaItem(eventId, item.id);
  const tag = await testApp.addTag(eventId, [mediaItem]);
  const webhook = randomUUID();
  await services.webhooks.createWebhook({
    actor,
    id: webhook,
    values: { url: "https://receiver.example.com/", types: ["event.closed"], target: { kind: "all" } },
  });
  const group = await testApp.addGroup(owner);
  return {
    spaces: space.id,
    events: eventId,
    folders: folder.id,
    uploads: upload.id,
    media: item.id,
    event_tags: tag,
    event_media: mediaItem,
    users: owner.user.id,
    webhooks: webhook,
    groups: group.id,
  };
}

/** Kind of the record to which an id belongs, for URL segments that do not name it. */
const RESOURCE_KINDS: Readonly<Record<string, string>> = {
  event_uuid: "events",
  space_uuid: "spaces",
  trash: "folders",
};

/** URL of a call with the ids of existing records. */
export const callUrl = ({ path }: Pick<Call, "path">, ids: ResourceIds, uuid?: string): string =>
  fullPath(path)
    .replace(/([a-z_]+)\/\{uuid\}/, (_all, segment: string) => {
      const kind =
        segment === "uuid" ? (/\/v1\/([^/]+)/.exec(path)?.[1] ?? "") : (RESOURCE_KINDS[segment] ?? segment);
      return `${segment}/${uuid ?? ids[kind] ?? randomUUID()}`;
    })
    .replace("{number}", "1")
    .replace("{seq}", "1")
    .replace(/\{\w+_uuid\}/g, ids.users ?? "")
    .replace(/\{\w+\}/g, "x".repeat(43));

/** A body that a call may accept: names for name fields, and ids of existing records for id fields. */
export function callBody(call: Call, ids: ResourceIds): { readonly body?: BodyInit; readonly type?: string } {
  if (call.body === undefined || call.method === "GET" || call.method === "DELETE") return {};
  if (isBytesBody(call.body)) return { body: new Uint8Array([1]), type: call.body.mediaTypes[0] ?? "" };
  const body: Record<string, unknown> = { name: "mine", title: "mine", event_name: "mine" };
  const idsByWord: ResourceIds = { ...ids, parent: ids.folders ?? "", owner: ids.users ?? "" };
  for (const field of bodyFields(call)) {
    const [, word = ""] = /^(?:target_|from_|poster_)?(\w+?)_uuid$/.exec(field) ?? [];
    if (field.endsWith("uuid"))
      body[field] =
        idsByWord[word] ??
        idsByWord[`${word}s`] ??
        idsByWord[word.replace("library_item", "media")] ??
        ids.folders;
    if (["folders", "spaces", "media"].includes(field))
      body[field] = isOwnBody(call.body) ? [{ uuid: ids[field], data: [ids[field]] }] : [ids[field]];
  }
  return { body: JSON.stringify(body) };
}
