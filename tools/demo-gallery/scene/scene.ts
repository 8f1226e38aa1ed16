/** Builds the gallery of the plan: every face, mesh and lamp. It is deterministic, so that each thread can build its own copy. */
import { doorways, rooms, works } from "../../../seed/gallery-plan";
import type { Building, Spot } from "./building";
import { addFurniture } from "./furniture";
import type { Mesh, SceneFace } from "./geometry";
import type { MaterialId } from "./materials";
import { addObjects } from "./objects";
import { addAlcove, addCut, addDoorway, addLantern, addRoom, addScreens, addStreetDoor } from "./rooms";
import { addWork } from "./works";

/** The gallery as its renderer needs it. */
export interface GalleryScene {
  readonly faces: readonly SceneFace[];
  readonly meshes: readonly Mesh[];
  readonly spots: readonly Spot[];
  /** Indices of the faces that are sampled as lights. */
  readonly lights: readonly number[];
}

/** Builds the scene. */
export function buildScene(): GalleryScene {
  const building: Building = { faces: [], meshes: [], spots: [] };
  for (const room of Object.values(rooms)) addRoom(building, room);
  for (const door of doorways) addDoorway(building, door);
  addLantern(building);
  addStreetDoor(building);
  addScreens(building);
  addAlcove(building);
  addCut(building);
  for (const work of works) addWork(building, work);
  addFurniture(building);
  addObjects(building.meshes);
  const lights = building.faces.flatMap((f, i) => (lightMaterials.has(f.material) ? [i] : []));
  return { ...building, lights };
}

const lightMaterials: ReadonlySet<MaterialId> = new Set<MaterialId>([
  "frosted",
  "sky",
  "paper",
  "slot",
  "andon",
]);
