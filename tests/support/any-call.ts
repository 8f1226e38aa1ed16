/** Any call of the API as the document describes it, asked with things that are there: for tests that go through all of them. */
import { randomUUID } from "node:crypto";
import { CALLS } from "#functions/api";
import { type Call, isBytes, isOwn } from "#functions/api/core/call";
import { documentOf, fullPath } from "#functions/api/core/document";
import type { Uuid } from "~/domain/shared/model";
import type { House, Person } from "./house";

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
const document = JSON.parse(JSON.stringify(documentOf(CALLS))) as {
  paths: Record<string, Record<string, Operation>>;
};
const operationOf = ({ path, method }: Call) => document.paths[fullPath(path)]?.[method.toLowerCase()];

/** The fields of a call's body, by the document. */
export const fieldsOf = (call: Call): readonly string[] =>
  Object.keys(operationOf(call)?.requestBody?.content["application/json"]?.schema.properties ?? {});

/** The fields that a call's body must have, by the document. */
export const requiredOf = (call: Call): readonly string[] =>
  operationOf(call)?.requestBody?.content["application/json"]?.schema.required ?? [];

/** The names of a call's parameters after the question mark, by the document. */
export const queryOf = (call: Call): readonly string[] =>
  (operationOf(call)?.parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name);

/** One of each kind of thing, by the word that stands before its id in addresses. */
export type Things = Readonly<Record<string, Uuid>>;

/** Makes one of everything that addresses name, of the owner's; of folders, events and spaces there are more. */
export async function furnish(house: House, owner: Person): Promise<Things> {
  const { services } = house;
  const { actor } = owner;
  const { space, eventId } = await house.addSpace(owner);
  await house.addSpace(owner, "another one");
  const folder = await services.tree.createFolder({ actor, folderType: "space", name: "a" });
  const upload = await services.uploads.startUpload({
    actor,
    fileName: "a.png",
    byteSize: 10,
    fingerprint: "",
  });
  const item = await house.addItem(owner);
  const medium = await house.addMedium(eventId, item.id);
  const tag = await house.addTag(eventId, [medium]);
  const webhook = randomUUID();
  await services.webhooks.createWebhook({
    actor,
    id: webhook,
    values: { url: "https://receiver.example.com/", types: ["event.closed"], target: { kind: "all" } },
  });
  const group = await house.addGroup(owner);
  return {
    spaces: space.id,
    events: eventId,
    folders: folder.id,
    uploads: upload.id,
    media: item.id,
    event_tags: tag,
    event_media: medium,
    users: owner.user.id,
    webhooks: webhook,
    groups: group.id,
  };
}

const KINDS: Readonly<Record<string, string>> = {
  event_uuid: "events",
  space_uuid: "spaces",
  trash: "folders",
};

/** The address of a call, with the ids of things that are there. */
export const addressOf = ({ path }: Pick<Call, "path">, things: Things, uuid?: string): string =>
  fullPath(path)
    .replace(/([a-z_]+)\/\{uuid\}/, (_all, word: string) => {
      const kind = word === "uuid" ? (/\/v1\/([^/]+)/.exec(path)?.[1] ?? "") : (KINDS[word] ?? word);
      return `${word}/${uuid ?? things[kind] ?? randomUUID()}`;
    })
    .replace("{number}", "1")
    .replace("{seq}", "1")
    .replace(/\{\w+_uuid\}/g, things.users ?? "")
    .replace(/\{\w+\}/g, "x".repeat(43));

/** A body that a call may take: names where it asks for names, and the ids of things that are there. */
export function bodyOf(call: Call, things: Things): { readonly body?: BodyInit; readonly type?: string } {
  if (call.body === undefined || call.method === "GET" || call.method === "DELETE") return {};
  if (isBytes(call.body)) return { body: new Uint8Array([1]), type: call.body.types[0] ?? "" };
  const body: Record<string, unknown> = { name: "mine", title: "mine", event_name: "mine" };
  const named: Things = { ...things, parent: things.folders ?? "", owner: things.users ?? "" };
  for (const field of fieldsOf(call)) {
    const [, word = ""] = /^(?:target_|from_|poster_)?(\w+?)_uuid$/.exec(field) ?? [];
    if (field.endsWith("uuid"))
      body[field] =
        named[word] ?? named[`${word}s`] ?? named[word.replace("library_item", "media")] ?? things.folders;
    if (["folders", "spaces", "media"].includes(field))
      body[field] = isOwn(call.body) ? [{ uuid: things[field], data: [things[field]] }] : [things[field]];
  }
  return { body: JSON.stringify(body) };
}
