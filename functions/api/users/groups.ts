import * as z from "zod";
import { ConflictError, InvalidError } from "#functions/services/shared/errors";
import type { Member } from "#functions/services/users/user-ports";
import { BATCH_LISTS } from "~/domain/folders/tree-batch.schema";
import { GROUP_NAME_MAX } from "~/domain/shared/limits";
import type { Group, Uuid } from "~/domain/shared/model";
import { createGroupRenameSchema, createGroupSchema } from "~/domain/users/group.schema";
import { USER_STATUS_WIRE } from "~/domain/users/user-status";
import { KIND_OF_LIST } from "../core/batch";
import { call, type JsonOf } from "../core/call";
import {
  accountSearchParam,
  cursorParams,
  describe,
  idOrNone,
  optionalFlag,
  optionalVersion,
} from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { deletedJson, groupJson, personJson } from "../core/record-json";
import { sliceResponse, validate } from "../core/request";
import { DeletedSchema, GroupSchema, id, PersonSchema, SuccessSchema } from "../core/schemas";

const ADMINISTRATORS = "Administrators. Other callers receive 404.";
const nameJson = { type: "string", minLength: 1, maxLength: GROUP_NAME_MAX };
const OPERATION_SUFFIXES = { folders: "Folder", spaces: "Space", media: "MediaItem" } as const;
const NOUNS = { folders: "a folder", spaces: "a space", media: "a media item" } as const;
const SUCCESS = { status: "success" } as const;

const MemberSchema = z
  .object({ ...PersonSchema.shape, company_name: z.string(), status: z.string() })
  .meta({ id: "Member" });
const CandidateSchema = z
  .object({ ...MemberSchema.shape, is_member: z.boolean() })
  .meta({ id: "MemberCandidate" });
const SharedSchema = z
  .object({
    things: z.array(
      z.object({
        kind: z.enum(["folder", "space", "media"]),
        uuid: id,
        name: z.string().meta({ description: "Empty for a root folder." }),
        owner: PersonSchema,
      }),
    ),
    more: z.boolean().meta({ description: "True if some kind has more records." }),
  })
  .meta({ id: "SharedThings" });
const SharingSchema = z
  .object({
    group_id: id.nullable().meta({ description: "The group with which the record is shared." }),
    may_change: z.boolean(),
    groups: z.array(z.object({ uuid: id, name: z.string() })).meta({
      description:
        "Groups with which the record can be shared: those of its owner, and the current one. Empty if the caller may not share it.",
    }),
  })
  .meta({ id: "Sharing" });

const memberJson = (member: Member): JsonOf<typeof MemberSchema> => ({
  ...personJson(member),
  company_name: member.companyName,
  status: USER_STATUS_WIRE[member.status],
});

/** Groups, their members, and what is shared with them: /v1/groups, …/sharing. */
export const groupCalls = [
  call({
    id: "listOwnGroups",
    method: "GET",
    path: "/v1/account/groups",
    tag: "groups",
    summary: "List the caller's own groups, with which records can be shared, by name",
    who: "user",
    scope: "read",
    may: PERMISSION_TEXTS.own,
    response: z.array(GroupSchema),
    wholeListKey: "uuid",
    handle: async ({ services, actor }) => (await services.groups.listOwnGroups({ actor })).map(groupJson),
  }),

  call({
    id: "listGroups",
    method: "GET",
    path: "/v1/groups",
    tag: "groups",
    summary: "List all groups, newest first",
    who: "user",
    may: ADMINISTRATORS,
    query: z.object({
      ...cursorParams,
      trash: optionalFlag("Lists the trash, latest first."),
    }),
    response: z.array(GroupSchema),
    list: "cursor",
    handle: async ({ c, services, actor, query: { cursor, limit: pageSize, trash } }) =>
      sliceResponse(c, await services.groups.listGroups({ actor, cursor, pageSize, trash }), groupJson),
  }),

  call({
    id: "createGroup",
    method: "POST",
    path: "/v1/groups",
    tag: "groups",
    summary: "Create a group without members",
    who: "user",
    may: ADMINISTRATORS,
    body: z.object({ name: describe(createGroupSchema().shape.name, nameJson) }),
    response: GroupSchema,
    problems: ["group_name_taken"],
    acceptsIdempotencyKey: true,
    hasEtag: true,
    handle: async ({ services, actor, body }) =>
      groupJson(await services.groups.createGroup({ actor, name: body.name })),
  }),

  call({
    id: "getGroup",
    method: "GET",
    path: "/v1/groups/{uuid}",
    tag: "groups",
    summary: "Get a group, in the trash or not",
    who: "user",
    may: ADMINISTRATORS,
    response: GroupSchema,
    hasEtag: true,
    handle: async ({ services, actor, params: { uuid: groupId } }) =>
      groupJson((await services.groups.getGroup({ actor, groupId })).group),
  }),

  call({
    id: "renameGroup",
    method: "PUT",
    path: "/v1/groups/{uuid}",
    tag: "groups",
    summary: "Rename a group",
    who: "user",
    may: ADMINISTRATORS,
    body: z.object({ name: describe(createGroupSchema().shape.name, nameJson), version: optionalVersion }),
    response: GroupSchema,
    problems: ["group_name_taken", "in_trash"],
    hasEtag: true,
    acceptsIfMatch: true,
    handle: async ({ services, actor, params: { uuid: groupId }, body, rawBody }) => {
      const { groups } = services;
      const saved = (await groups.getGroup({ actor, groupId })).group;
      const version = body.version ?? saved.version;
      const values = await validate(createGroupRenameSchema(), { name: rawBody.name, version });
      const result = await groups.renameGroup({ actor, groupId, ...values });
      if (result.status === "conflict") throw new ConflictError(groupJson(result.saved), rawBody);
      if (result.status === "trashed")
        throw new InvalidError({ "": [{ key: "users:group.inTrash" }] }, "in_trash");
      return groupJson((await groups.getGroup({ actor, groupId })).group);
    },
  }),

  call({
    id: "deleteGroup",
    method: "DELETE",
    path: "/v1/groups/{uuid}",
    tag: "groups",
    summary: "Move a group to the trash, which suspends its access",
    description: "It can be restored for 30 days.",
    who: "user",
    may: ADMINISTRATORS,
    response: DeletedSchema,
    problems: ["stale_version"],
    acceptsIfMatch: true,
    savedSchema: GroupSchema,
    handle: async ({ services, actor, params: { uuid: groupId }, expectedVersion: version }) => {
      await services.groups.deleteGroup({ actor, groupId, version }).catch((error: unknown) => {
        if (!(error instanceof ConflictError)) throw error;
        throw new ConflictError(groupJson(error.saved as Group), null);
      });
      return deletedJson(groupId);
    },
  }),

  call({
    id: "restoreGroup",
    method: "POST",
    path: "/v1/groups/{uuid}/restore",
    tag: "groups",
    summary: "Restore a group from the trash",
    who: "user",
    may: ADMINISTRATORS,
    response: GroupSchema,
    problems: ["group_name_taken"],
    hasEtag: true,
    handle: async ({ services, actor, params: { uuid: groupId } }) => {
      await services.groups.restoreGroup({ actor, groupId });
      return groupJson((await services.groups.getGroup({ actor, groupId })).group);
    },
  }),

  call({
    id: "listMembers",
    method: "GET",
    path: "/v1/groups/{uuid}/members",
    tag: "groups",
    summary: "List the members of a group, latest first",
    who: "user",
    may: ADMINISTRATORS,
    query: z.object(cursorParams),
    response: z.array(MemberSchema),
    list: "cursor",
    handle: async ({ c, services, actor, params: { uuid: groupId }, query: { cursor, limit: pageSize } }) =>
      sliceResponse(
        c,
        (await services.groups.getGroup({ actor, groupId, cursor, pageSize })).members,
        memberJson,
      ),
  }),

  call({
    id: "findMemberCandidates",
    method: "GET",
    path: "/v1/groups/{uuid}/candidates",
    tag: "groups",
    summary: "Search accounts, with their membership in the group, at most 10",
    who: "user",
    may: ADMINISTRATORS,
    query: z.object({ ...accountSearchParam }),
    response: z.array(CandidateSchema),
    wholeListKey: "uuid",
    handle: async ({ services, actor, params: { uuid: groupId }, query }) => {
      await services.groups.getGroup({ actor, groupId });
      const { users } = await services.groups.findCandidates({ actor, groupId, q: query.q ?? "" });
      return users.map((user) => ({ ...memberJson(user), is_member: user.isMember }));
    },
  }),

  call({
    id: "addMember",
    method: "PUT",
    path: "/v1/groups/{uuid}/members/{user_uuid}",
    tag: "groups",
    summary: "Add a member to a group",
    description: "Does nothing if the account is already a member.",
    who: "user",
    may: ADMINISTRATORS,
    response: SuccessSchema,
    handle: async ({ services, actor, params: { uuid: groupId, user_uuid } }) => {
      await services.groups.addMember({ actor, groupId, userId: user_uuid });
      return SUCCESS;
    },
  }),

  call({
    id: "removeMember",
    method: "DELETE",
    path: "/v1/groups/{uuid}/members/{user_uuid}",
    tag: "groups",
    summary: "Remove a member from a group",
    description: "Does nothing if the account is not a member.",
    who: "user",
    may: ADMINISTRATORS,
    response: SuccessSchema,
    handle: async ({ services, actor, params: { uuid: groupId, user_uuid } }) => {
      await services.groups.removeMember({ actor, groupId, userId: user_uuid });
      return SUCCESS;
    },
  }),

  call({
    id: "listSharedWithGroup",
    method: "GET",
    path: "/v1/groups/{uuid}/shared",
    tag: "groups",
    summary: "List records shared with a group, at most the newest 50 of each kind",
    who: "user",
    may: ADMINISTRATORS,
    response: SharedSchema,
    handle: async ({ services, actor, params: { uuid: groupId } }) => {
      const { shared, hasMoreShared } = await services.groups.getGroup({ actor, groupId });
      const things = shared.map(({ kind, id, name, owner }) => ({
        kind,
        uuid: id,
        name,
        owner: personJson(owner),
      }));
      return { things, more: hasMoreShared };
    },
  }),

  ...BATCH_LISTS.flatMap((list) => [
    call({
      id: `get${OPERATION_SUFFIXES[list]}Sharing`,
      method: "GET",
      path: `/v1/${list}/{uuid}/sharing`,
      tag: "groups",
      summary: `Get the group with which ${NOUNS[list]} is shared`,
      who: "user",
      may: PERMISSION_TEXTS.shared,
      scope: "read",
      response: SharingSchema,
      handle: async ({ services, actor, params }) => {
        const kind = KIND_OF_LIST[list];
        return sharingJson(await services.groups.getSharing({ actor, kind, id: params.uuid }));
      },
    }),

    call({
      id: `set${OPERATION_SUFFIXES[list]}Sharing`,
      method: "PUT",
      path: `/v1/${list}/{uuid}/sharing`,
      tag: "groups",
      summary: `Share ${NOUNS[list]} with one of its owner's groups, or stop sharing it`,
      who: "user",
      may: "Its owner and administrators; members of its group see it and get 403.",
      scope: "library",
      body: z.object({ group_id: idOrNone("The group; null to stop sharing.") }),
      response: SharingSchema,
      problems: ["forbidden", "unknown_group"],
      handle: async ({ services, actor, params, body }) => {
        const target = { actor, kind: KIND_OF_LIST[list], id: params.uuid };
        await services.groups.changeGroup({ ...target, groupId: body.group_id });
        return sharingJson(await services.groups.getSharing(target));
      },
    }),
  ]),
];

function sharingJson(sharing: {
  readonly groupId: Uuid | null;
  readonly mayChange: boolean;
  readonly groups: readonly { readonly id: Uuid; readonly name: string }[];
}): JsonOf<typeof SharingSchema> {
  return {
    group_id: sharing.groupId,
    may_change: sharing.mayChange,
    groups: sharing.groups.map((group) => ({ uuid: group.id, name: group.name })),
  };
}
