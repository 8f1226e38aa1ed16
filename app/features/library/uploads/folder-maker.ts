import { FOLDER_NAME_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { countCharacters } from "~/domain/shared/text";
import { classifyResponse } from "./classify-response";
import type { ApiResponse, UploadApi } from "./ports";
import type { UploadPlace, UploadProblem } from "./upload-state";

interface FolderJson {
  readonly uuid: Uuid;
  readonly parent_uuid: Uuid | "";
  readonly name: string;
}

/** A folder, a problem for the user, or an unsuccessful response of the API. */
export type FolderResult =
  | { readonly folderId: Uuid | null }
  | { readonly problem: UploadProblem }
  | { readonly response: ApiResponse };

const normalizeName = (name: string) => name.normalize("NFC").trim();

/**
 * Finds or creates the folders of files. Each folder is created only once, for any number of files. An existing folder with the same name is used,
 * because a user who drops a folder again, for example after a reload, means the same folder.
 */
export class FolderMaker {
  private readonly foldersByKey = new Map<string, Promise<FolderResult>>();
  private readonly lists = new Map<string, Promise<ApiResponse>>();

  constructor(private readonly api: UploadApi) {}

  /** Returns the folder at the end of a path. */
  async findOrCreate({ ownerId, folderId, path }: UploadPlace): Promise<FolderResult> {
    let folder: FolderResult = { folderId };
    for (const name of path) {
      if (!("folderId" in folder)) return folder;
      folder = await this.findOrMakeOnce(ownerId, folder.folderId, normalizeName(name));
    }
    return folder;
  }

  /** Clears the cached folders. */
  clear(): void {
    this.foldersByKey.clear();
    this.lists.clear();
  }

  private findOrMakeOnce(ownerId: Uuid | null, parentId: Uuid | null, name: string): Promise<FolderResult> {
    const key = JSON.stringify([ownerId, parentId, name]);
    let folder = this.foldersByKey.get(key);
    if (!folder) {
      folder = this.findOrMake(ownerId, parentId, name).then((result) => {
        if (!("folderId" in result)) this.foldersByKey.delete(key);
        return result;
      });
      this.foldersByKey.set(key, folder);
    }
    return folder;
  }

  private async findOrMake(ownerId: Uuid | null, parentId: Uuid | null, name: string): Promise<FolderResult> {
    if (countCharacters(name) > FOLDER_NAME_MAX)
      return { problem: { key: "folders:errors.folderName.tooLong" } };
    const listResponse = await this.list(ownerId);
    const result = classifyResponse(listResponse);
    if (result.kind === "again" || result.kind === "signedOut") {
      this.lists.clear();
      return { response: listResponse };
    }
    // The user may be allowed to add files to a shared folder without seeing the owner's other folders.
    const folders = result.kind === "ok" ? (listResponse.body as readonly FolderJson[]) : [];
    const actualParentId = parentId ?? folders.find((folder) => folder.parent_uuid === "")?.uuid;
    const existing = folders.find(
      (folder) => folder.parent_uuid === actualParentId && normalizeName(folder.name) === name,
    );
    if (existing) return { folderId: existing.uuid };
    const response = await this.api.json("POST", "/api/v1/folders", {
      name,
      folder_type: "media",
      ...(actualParentId && { parent_uuid: actualParentId }),
      ...(ownerId && { owner_uuid: ownerId }),
    });
    if (classifyResponse(response).kind !== "ok") return { response };
    return { folderId: (response.body as FolderJson).uuid };
  }

  private list(ownerId: Uuid | null): Promise<ApiResponse> {
    const key = ownerId ?? "";
    const ownerQuery = ownerId ? `&owner_uuid=${ownerId}` : "";
    const list =
      this.lists.get(key) ?? this.api.json("GET", `/api/v1/folders?folder_type=media${ownerQuery}`);
    this.lists.set(key, list);
    return list;
  }
}
