import type { Folder, Instant, MediaKind, Uuid } from "~/domain/shared/model";
import { demoEvents } from "./demo/events";
import { mainMedia, panoramaMedia, showcaseMedia } from "./demo/media";
import {
  type DemoData,
  type DemoFolder,
  type DemoGroup,
  type DemoLibraryItem,
  day,
  demoId,
  demoIds,
  demoRootFolderId,
  libraryItemIdOf,
  minute,
} from "./demo/records";
import { mainScene } from "./demo/scene";
import { demoSpaces, spaceNames } from "./demo/spaces";
import { mainTags, panoramaTags, showcaseTags } from "./demo/tags";
import { demoUsers } from "./demo/users";
import { type DemoAssetKey, getPosterKey } from "./demo-assets";
import { roomTexts, workTexts } from "./demo-texts";
import { panoramas, works } from "./gallery-plan";

export {
  type DemoData,
  type DemoEvent,
  type DemoMedia,
  type DemoTag,
  demoIds,
  demoPassword,
  demoPublishPassword,
} from "./demo/records";

/**
 * All records of the demo.
 * @param now the time of seeding in milliseconds since 1970; all dates are relative to it
 */
export function demoData(now: number): DemoData {
  const dateAt = (offset: number): Instant => new Date(now + offset).toISOString();

  const users = demoUsers(dateAt);
  const group: DemoGroup = {
    id: demoId("group exhibition"),
    name: "展覧会チーム",
    ownerId: demoIds.owner,
    memberIds: [demoIds.owner, demoIds.curator],
    createdAt: dateAt(-80 * day),
  };

  const folders: DemoFolder[] = users.flatMap((user): DemoFolder[] =>
    (["space", "media"] as const).map((folderType) => ({
      id: demoRootFolderId(user.id, folderType),
      parentId: null,
      ownerId: user.id,
      folderType,
      name: folderType === "space" ? "スペース" : "ライブラリ",
      groupId: null,
      createdAt: user.createdAt,
      updatedAt: user.createdAt,
    })),
  );
  const addSubfolder = (
    name: string,
    folderType: "space" | "media",
    {
      groupId = null,
      parentId = demoRootFolderId(demoIds.owner, folderType),
    }: Partial<Pick<Folder, "groupId" | "parentId">> = {},
  ): Uuid => {
    const id = demoId(`folder ${folderType} ${name}`);
    folders.push({
      id,
      parentId,
      ownerId: demoIds.owner,
      folderType,
      name,
      groupId,
      createdAt: dateAt(-70 * day),
      updatedAt: dateAt(-70 * day),
    });
    return id;
  };
  const worksFolder = addSubfolder("作品画像", "media", { groupId: group.id });
  const spaceFilesFolder = addSubfolder("スペースのファイル", "media");
  addSubfolder("2025年度", "space", { parentId: addSubfolder("過去の展覧会", "space") });
  addSubfolder("次の展覧会の準備", "space", { groupId: group.id });

  const libraryItems: DemoLibraryItem[] = [];
  const addItem = (
    ownerId: Uuid,
    assetKey: DemoAssetKey,
    kind: MediaKind,
    title: string,
    folderId: Uuid,
    groupId: Uuid | null = null,
  ): Uuid => {
    const id = libraryItemIdOf(ownerId, assetKey);
    libraryItems.push({
      id,
      folderId,
      ownerId,
      groupId,
      kind,
      title,
      assetKey,
      createdAt: dateAt(-60 * day + libraryItems.length * minute),
    });
    return id;
  };
  const ownerMediaFolder = demoRootFolderId(demoIds.owner, "media");
  addItem(demoIds.owner, "showroom", "model", "ショールーム（モデル）", spaceFilesFolder);
  addItem(demoIds.owner, "splats", "splat", "展示室のスキャン", spaceFilesFolder);
  // The floor plan is the oldest image, so that it is last in lists for choosing a panorama, which start with the newest items.
  addItem(demoIds.owner, "floor-plan", "image", "フロアプラン", ownerMediaFolder);
  for (const node of panoramas) {
    addItem(
      demoIds.owner,
      `pano-${node.id}`,
      "image",
      `パノラマ ${roomTexts[node.room].ja}`,
      spaceFilesFolder,
    );
  }
  for (const space of ["showroom", "panorama", "showcase", "splat"] as const) {
    addItem(demoIds.owner, getPosterKey(space), "image", `表紙 ${spaceNames[space]}`, spaceFilesFolder);
  }
  for (const work of works) {
    addItem(demoIds.owner, `work-${work.id}`, "image", workTexts[work.id].title.ja, worksFolder, group.id);
  }
  addItem(demoIds.owner, "exhibition-poster", "image", "展覧会ポスター", ownerMediaFolder);
  addItem(demoIds.owner, "sound", "audio", "波間の響き", ownerMediaFolder);
  addItem(demoIds.owner, "film", "video", "動く海", ownerMediaFolder);
  addItem(demoIds.owner, "leaflet", "pdf", "会場図と作品一覧", ownerMediaFolder);
  const curatorMediaFolder = demoRootFolderId(demoIds.curator, "media");
  addItem(demoIds.curator, "showroom", "model", "茶の間と展示室（モデル）", curatorMediaFolder);
  addItem(demoIds.curator, getPosterKey("tearoom"), "image", "表紙 茶の間", curatorMediaFolder);

  const spaces = demoSpaces(dateAt, group.id);
  const events = demoEvents(now, dateAt);
  const media = [...mainMedia(dateAt), ...panoramaMedia(dateAt), ...showcaseMedia(dateAt)];
  const tags = [...mainTags(), ...panoramaTags(), ...showcaseTags()];
  const scenes = [mainScene()];
  return { users, groups: [group], folders, libraryItems, spaces, events, tags, media, scenes };
}
