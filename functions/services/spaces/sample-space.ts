import { EVENT_STATUS } from "~/domain/events/status";
import { EVENT_TEMPLATES } from "~/domain/events/templates/event-template";
import { EYE_HEIGHT } from "~/domain/shared/limits";
import type { Lang } from "~/domain/shared/model";
import { emptyValues } from "../events/events";
import { templateContent, withTemplateTexts } from "../events/template-content";
import type { AdmitUploadDeps } from "../library/admit-upload";
import { storeFiles } from "../library/store-files";
import { bindUseCases } from "../shared/bind";
import { createSampleRoom, SAMPLE_PLACES, SAMPLE_START } from "./sample-room";
import {
  type CreateSpaceInput,
  createSpace,
  findPlaceForSpace,
  type NewSpaceResult,
  type SpaceDeps,
} from "./spaces";

/**
 * Creates a space from a plain gallery room. Its file becomes an item of the owner's library, like an uploaded file.
 * @param input.exhibitionLang for the sample of the first steps (the tasks that the start page offers a new account): the first event becomes an
 *   exhibition in this room, in Preview, so that the owner sees what visitors see. Its tags have keywords in this language.
 * @throws as findPlaceForSpace, before the file is stored; the rejection of the file, such as library_capacity; as createSpace
 */
export async function createSampleSpace(
  deps: SpaceDeps & AdmitUploadDeps,
  {
    exhibitionLang,
    ...input
  }: Omit<CreateSpaceInput, "source" | "posterMediaId" | "sample"> & { readonly exhibitionLang?: Lang },
): Promise<NewSpaceResult> {
  const { actor, name } = input;
  const { owner } = await findPlaceForSpace(deps, input);
  const chunks = (async function* () {
    yield createSampleRoom();
  })();
  const files = (async function* () {
    yield { fileName: `${name}.glb`, chunks };
  })();
  const [stored] = await storeFiles(deps, { actor, ownerId: owner.id, declaredBytes: null, files });
  if (!stored) throw new Error("The sample room was not stored");
  if ("rejection" in stored) throw stored.rejection;
  const source = {
    kind: "model",
    mediaId: stored.item.id,
    eyeHeight: EYE_HEIGHT.usual,
    start: SAMPLE_START,
  } as const;
  if (!exhibitionLang) return createSpace(deps, { ...input, source });
  return createSpace(deps, { ...input, source, sample: sampleExhibition(deps, exhibitionLang) });
}

function sampleExhibition(deps: Pick<SpaceDeps, "ids">, lang: Lang) {
  const template = { name: "exhibition", lang } as const;
  const { name } = EVENT_TEMPLATES[template.name];
  const values = { ...emptyValues(name), statusId: EVENT_STATUS.preview, enableAutoChangeStatus: false };
  return {
    values: withTemplateTexts(values, template.name),
    content: templateContent(deps, template, { start: SAMPLE_START, places: SAMPLE_PLACES }),
  };
}

/** Use cases in `context.services.spaces`. */
export const sampleSpaceServices = (deps: SpaceDeps & AdmitUploadDeps) =>
  bindUseCases(deps, { createSampleSpace });
