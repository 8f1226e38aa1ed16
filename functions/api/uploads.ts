import type { Hono } from "hono";
import { drainBody, readBody as readBytes } from "#functions/platform/read-body";
import { toUuid } from "~/domain/ids";
import { THUMBNAIL_MAX_BYTES, UPLOAD_PART_BYTES } from "~/domain/limits";
import { createUploadSchema } from "~/domain/upload.schema";
import type { ApiEnv } from "./context";
import { type ApiCall, check, idField, readBody, renamed, requireSession, uuidParam } from "./request";
import { libraryItemJson, uploadJson } from "./shapes";

/** Uploads in slices, and still pictures: /v1/uploads, /v1/media/{uuid}/thumbnail. */
export function uploadRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/uploads", async (c) => {
    const { actor } = await requireSession(c);
    return c.json((await c.env.services.uploads.listUploads({ actor })).map(uploadJson));
  });

  app.post("/v1/uploads", async (c) => {
    const { actor } = await requireSession(c);
    const body = await readBody(c);
    // In whatever letters somebody writes an id.
    const id = (value: unknown) => toUuid(value) ?? value;
    const value = await check(createUploadSchema(), {
      fileName: body.file_name,
      byteSize: body.byte_size,
      folderId: id(body.folder_uuid),
      replacesId: id(body.replaces_uuid),
      ownerId: id(body.owner_uuid),
      fingerprint: body.fingerprint,
    });
    const begun = c.env.services.uploads.startUpload({ actor, ...value });
    // Nothing of the file is there yet but what the body says of it.
    const fileAs = (code: string) => ({
      file: code === "upload_other_kind" ? "replaces_uuid" : "byte_size",
    });
    return c.json(uploadJson(await renamed(begun, fileAs)), 201);
  });

  app.get("/v1/uploads/:uuid", async (c) => {
    const { actor } = await requireSession(c);
    return c.json(uploadJson(await c.env.services.uploads.getUpload({ actor, uploadId: uuidParam(c) })));
  });

  app.delete("/v1/uploads/:uuid", async (c) => {
    const { actor } = await requireSession(c);
    const uploadId = uuidParam(c);
    await c.env.services.uploads.abortUpload({ actor, uploadId });
    return c.json({ status: "success", uuid: uploadId });
  });

  app.put("/v1/uploads/:uuid/parts/:number", async (c) => {
    const { body } = c.req.raw;
    try {
      const { actor } = await requireSession(c);
      const part = { number: sliceNumber(c), declared: declaredLength(c), body };
      const stored = await ofFile(
        c.env.services.uploads.storePart({ actor, uploadId: uuidParam(c), ...part }),
      );
      return c.json({ number: stored.number, byte_size: stored.byteSize });
    } catch (error) {
      // So that the sender hears why.
      await drainBody(body, UPLOAD_PART_BYTES * 2);
      throw error;
    }
  });

  app.post("/v1/uploads/:uuid/complete", async (c) => {
    const { actor } = await requireSession(c);
    const itemId = idField(await readBody(c), "media_uuid");
    const asked = { actor, uploadId: uuidParam(c), itemId };
    const { item } = await ofFile(c.env.services.uploads.completeUpload(asked));
    return c.json(libraryItemJson(item), 201);
  });

  app.put("/v1/media/:uuid/thumbnail", async (c) => {
    const { actor } = await requireSession(c);
    const itemId = uuidParam(c);
    const bytes = await readBytes(c.req.raw, THUMBNAIL_MAX_BYTES);
    const set = c.env.services.uploads.setThumbnail({ actor, itemId, bytes });
    return c.json(libraryItemJson(await ofFile(set)));
  });
}

/** What is wrong with the bytes of a file is said of the call: they are in no field of a body. */
const ofFile = <T>(work: Promise<T>): Promise<T> => renamed(work, () => ({ file: "" }));

/** The number of a slice; NaN, which no file has a slice of, for anything else. */
const sliceNumber = (c: ApiCall): number => {
  const text = c.req.param("number") ?? "";
  return /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
};

/** What the sender says of the body's length; null when it says nothing. */
const declaredLength = (c: ApiCall): number | null => {
  const text = c.req.header("content-length");
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
};
