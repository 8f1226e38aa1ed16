import type { Instant, PanoramaNode, SpaceSource, Uuid, Vec3, Viewpoint } from "~/domain/shared/model";
import { getPosterKey } from "../demo-assets";
import { roomTexts } from "../demo-texts";
import { eyeHeight, panoramas, start, yawTowards } from "../gallery-plan";
import { type DemoSpace, day, demoIds, demoRootFolderId, libraryItemIdOf } from "./records";

export const spaceNames = {
  showroom: "Hiroba ショールーム",
  panorama: "夕暮れの展示室（360°）",
  showcase: "Matterport ショーケース",
  splat: "展示室のスキャン（ガウシアンスプラット）",
  tearoom: "茶の間と展示室",
} as const;

export function demoSpaces(dateAt: (offset: number) => Instant, groupId: Uuid): DemoSpace[] {
  const space = (
    key: keyof typeof spaceNames,
    ownerId: Uuid,
    sid: string,
    source: SpaceSource,
    age: number,
    groupId: Uuid | null = null,
  ): DemoSpace => ({
    id: demoIds[key],
    folderId: demoRootFolderId(ownerId, "space"),
    ownerId,
    groupId,
    name: spaceNames[key],
    sid,
    source,
    posterMediaId: libraryItemIdOf(ownerId, getPosterKey(key)),
    createdAt: dateAt(-age * day),
    updatedAt: dateAt(-age * day),
  });
  const nodes: PanoramaNode[] = panoramas.map((node) => ({
    id: node.id,
    mediaId: libraryItemIdOf(demoIds.owner, `pano-${node.id}`),
    title: roomTexts[node.room],
    position: node.position,
    heading: node.heading,
    links: node.links,
  }));
  const model = (ownerId: Uuid, from: Viewpoint): SpaceSource => ({
    kind: "model",
    mediaId: libraryItemIdOf(ownerId, "showroom"),
    start: from,
    eyeHeight,
  });
  const teaStart: Vec3 = [10.1, eyeHeight, -1.9];
  return [
    space("showroom", demoIds.owner, "H1robaShwrm", model(demoIds.owner, start), 58),
    space(
      "panorama",
      demoIds.owner,
      "H1robaPanor",
      {
        kind: "panorama",
        nodes,
        start: { position: [0, eyeHeight, 1.1], yaw: 0, pitch: 0, mode: "walk", nodeId: "hall" },
      },
      50,
      groupId,
    ),
    space("showcase", demoIds.owner, "SxQL3iGyoDo", { kind: "showcase" }, 42),
    space(
      "splat",
      demoIds.owner,
      "H1robaSp1at",
      { kind: "splat", mediaId: libraryItemIdOf(demoIds.owner, "splats"), start, eyeHeight, up: "y" },
      36,
    ),
    space(
      "tearoom",
      demoIds.curator,
      "H1robaTearm",
      model(demoIds.curator, {
        position: teaStart,
        yaw: yawTowards(teaStart, [8.6, eyeHeight, -5]),
        pitch: -0.1,
        mode: "walk",
      }),
      30,
    ),
  ];
}
