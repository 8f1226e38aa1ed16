import { EYE_HEIGHT, hasSpaceLicense } from "~/domain/shared/limits";
import type { AdmitUploadDeps } from "../library/admit-upload";
import { storeFiles } from "../library/store-files";
import { bindUseCases } from "../shared/bind";
import { createSampleRoom, SAMPLE_START } from "./sample-room";
import {
  type CreateSpaceInput,
  createSpace,
  licenseReached,
  type NewSpaceResult,
  type SpaceDeps,
} from "./spaces";

/**
 * Makes a space of a plain gallery room. Its file becomes an item of the owner's library, like one that the owner uploads.
 * @throws LimitError space_license before the file is stored; library_capacity
 * @throws NotFoundError, ForbiddenError as createSpace
 */
export async function createSampleSpace(
  deps: SpaceDeps & AdmitUploadDeps,
  input: Omit<CreateSpaceInput, "source" | "posterMediaId">,
): Promise<NewSpaceResult> {
  const { actor, name, folderId } = input;
  const ownerId = folderId ? (await deps.folders.find(folderId))?.ownerId : input.ownerId;
  const owner = await deps.users.find(ownerId ?? actor.userId);
  if (owner && !hasSpaceLicense(owner)) throw licenseReached(owner);
  const chunks = (async function* () {
    yield createSampleRoom();
  })();
  const files = (async function* () {
    yield { fileName: `${name}.glb`, chunks };
  })();
  const [stored] = await storeFiles(deps, { actor, ownerId, declared: null, files });
  if (!stored) throw new Error("The sample room was not stored");
  if ("refusal" in stored) throw stored.refusal;
  const source = {
    kind: "model",
    mediaId: stored.item.id,
    eyeHeight: EYE_HEIGHT.usual,
    start: SAMPLE_START,
  } as const;
  return createSpace(deps, { ...input, source });
}

/** Its part of `context.services.spaces`. */
export const sampleSpaceServices = (deps: SpaceDeps & AdmitUploadDeps) =>
  bindUseCases(deps, { createSampleSpace });
