import * as z from "zod";
import { authenticatedRead, call } from "../core/call";
import { cursorParams, pageParams, searchParam } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { spaceJson } from "../core/record-json";
import { listResponse, pageNumberError, sliceResponse } from "../core/request";
import { SpaceSchema } from "../core/schemas";

/** Spaces (specification §7): /v1/spaces. */
export const spaceCalls = [
  call({
    id: "listSpaces",
    method: "GET",
    path: "/v1/spaces",
    tag: "spaces",
    summary: "List the caller's own and shared spaces, newest first",
    description: "With `q` the list is paged by cursor, not by page number.",
    who: "user",
    may: PERMISSION_TEXTS.session,
    query: z.object({ ...pageParams, ...cursorParams, ...searchParam }),
    response: z.array(SpaceSchema),
    list: "pages",
    handle: async ({ c, services, actor, query: { page, limit, q, cursor } }) => {
      const { spaces, tree } = services;
      if (q === null && cursor.position === "first")
        return listResponse(c, (await spaces.listSpaces({ actor, page, pageSize: limit })).spaces, spaceJson);
      if (page > 1) throw pageNumberError();
      if (q === null)
        return sliceResponse(c, await spaces.sliceSpaces({ actor, cursor, pageSize: limit }), spaceJson);
      const spacesQuery = { folderType: "space", kinds: ["space"], q } as const;
      const result = await tree.searchTree({ actor, ...spacesQuery, cursor, pageSize: limit });
      const items = result.items.flatMap((item) => (item.kind === "space" ? [item.space] : []));
      return sliceResponse(c, { ...result, items }, spaceJson);
    },
  }),

  authenticatedRead({
    id: "getSpace",
    path: "/v1/spaces/uuid/{uuid}",
    tag: "spaces",
    may: PERMISSION_TEXTS.shared,
    summary: "Get a space, as an array with one element",
    response: z.array(SpaceSchema).length(1),
    read: async ({ authenticatedReads }, { ticket, params }) => {
      const space = await authenticatedReads.readSpace({ ticket, id: params.uuid });
      return space && [spaceJson(space)];
    },
  }),
];
