import {
  BufferAttribute,
  BufferGeometry,
  Group,
  LinearFilter,
  Mesh,
  MeshBasicMaterial,
  SRGBColorSpace,
  Texture,
} from "three";
import {
  DISPLAY_WIDTH,
  type PanoramaTiles,
  TILE_MARGIN,
  tileColumns,
  tileUrl,
} from "~/domain/spaces/panorama-tiles";
import { direction, shortestTurn, TAU } from "../core/angles";
import { directionAt } from "../core/equirect";
import type { Pose } from "../core/flight";
import type { Size } from "../core/projection";
import { dot } from "../core/vec";
import { disposeTexture, disposeTree } from "../shared/dispose.client";

/** Maximum number of tiles that are loaded at the same time. */
const LOADS_MAX = 6;
/** Maximum number of loaded tiles, in general and on devices with little memory. Each tile uses 4 MB of graphics memory. */
const TILES_MAX = 48;
const TILES_MAX_SMALL = 16;
/** Number of subdivisions of a tile's side, so that its surface follows the sphere. */
const SUBDIVISIONS = 8;
/** Screen pixels per image pixel from which the next level is loaded. */
const LEVEL_SHARPNESS = 1.1;

interface Tile {
  readonly key: string;
  readonly level: number;
  readonly column: number;
  readonly row: number;
  /** Angle between the direction of view and the tile's centre, in radians. */
  readonly angleFromCentre: number;
}

interface RequestedTile {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial> | null;
  readonly loading: AbortController | null;
  lastUsed: number;
}

/** The sharp tiles over a panorama's image: those in view, in the resolution of the screen. */
export class TileLayer {
  readonly object = new Group();
  /** Tiles that were requested, by key. One that is loading or could not be loaded has no mesh. */
  private readonly requestedTiles = new Map<string, RequestedTile>();
  /** Number of tiles that are being loaded. */
  private loadingCount = 0;
  private updateCount = 0;
  private isDisposed = false;

  /**
   * @param heading yaw of the panorama's centre, in radians
   * @param isSmall whether the device has little memory
   * @param invalidate requests another frame
   */
  constructor(
    private readonly tiles: PanoramaTiles,
    private readonly heading: number,
    private readonly isSmall: boolean,
    private readonly renderOrder: number,
    private readonly invalidate: () => void,
  ) {}

  /** Loads the tiles in view. @param sharpness device pixels per CSS pixel */
  update(pose: Pose, size: Size, sharpness: number): void {
    this.updateCount++;
    const visibleTiles = this.listVisibleTiles(pose, size, sharpness);
    for (const { key } of visibleTiles) {
      const requestedTile = this.requestedTiles.get(key);
      if (requestedTile) requestedTile.lastUsed = this.updateCount;
    }
    const keys = new Set(visibleTiles.map(({ key }) => key));
    for (const [key, { loading }] of this.requestedTiles)
      if (loading && !keys.has(key)) {
        loading.abort();
        this.requestedTiles.delete(key);
      }
    for (const tile of visibleTiles) {
      if (this.loadingCount >= LOADS_MAX) break;
      if (!this.requestedTiles.has(tile.key)) void this.load(tile);
    }
    this.freeUnusedTiles();
  }

  dispose(): void {
    this.isDisposed = true;
    for (const { loading } of this.requestedTiles.values()) loading?.abort();
    this.requestedTiles.clear();
    disposeTree(this.object);
  }

  /** Returns the tiles in view, of the level with the resolution of the screen, those nearest to the centre first. */
  private listVisibleTiles(pose: Pose, size: Size, sharpness: number): Tile[] {
    const { tiles } = this;
    const pixelsPerRadian = (size.height * sharpness) / 2 / Math.tan(pose.fov / 2);
    const neededWidth = pixelsPerRadian * TAU;
    // The panorama's own image is sharp enough.
    if (DISPLAY_WIDTH * LEVEL_SHARPNESS >= neededWidth) return [];
    let level = -1;
    for (let candidate = 0; candidate < tiles.levels; candidate++) {
      level = candidate;
      if (tileColumns(tiles, candidate) * tiles.tileSize * LEVEL_SHARPNESS >= neededWidth) break;
    }
    const columns = tileColumns(tiles, level);
    const rows = columns / 2;
    const ahead = direction(pose.yaw, pose.pitch);
    const halfDiagonal = Math.atan(Math.hypot(1, size.width / size.height) * Math.tan(pose.fov / 2));
    const cosineMin = Math.cos(Math.min(Math.PI, halfDiagonal + (Math.SQRT1_2 * TAU) / columns));
    const visibleTiles: Tile[] = [];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const middle = directionAt((column + 0.5) / columns, 1 - (row + 0.5) / rows, this.heading);
        const cosine = dot(ahead, middle);
        // Near the poles, a tile spans many yaw angles.
        const isPole = row === 0 || row === rows - 1;
        const isNear =
          isPole && Math.abs(shortestTurn(pose.pitch, row === 0 ? Math.PI / 2 : -Math.PI / 2)) < halfDiagonal;
        if (cosine < cosineMin && !isNear) continue;
        visibleTiles.push({
          key: `${level}/${column}-${row}`,
          level,
          column,
          row,
          angleFromCentre: Math.acos(Math.min(1, cosine)),
        });
      }
    return visibleTiles
      .sort((a, b) => a.angleFromCentre - b.angleFromCentre)
      .slice(0, this.isSmall ? TILES_MAX_SMALL : TILES_MAX);
  }

  private async load({ key, level, column, row }: Tile): Promise<void> {
    const loading = new AbortController();
    this.requestedTiles.set(key, { mesh: null, loading, lastUsed: this.updateCount });
    this.loadingCount++;
    try {
      const response = await fetch(tileUrl(this.tiles, level, column, row), {
        signal: loading.signal,
        priority: "low",
      });
      if (!response.ok) throw new Error(`The server returned ${response.status} for a tile.`);
      const bitmap = await createImageBitmap(await response.blob());
      if (loading.signal.aborted || this.isDisposed) return bitmap.close();
      const mesh = this.createMesh(bitmap, level, column, row);
      this.object.add(mesh);
      mesh.updateMatrixWorld(true);
      this.requestedTiles.set(key, { mesh, loading: null, lastUsed: this.updateCount });
    } catch {
      // The panorama's own image stays visible in the tile's place, and the tile is not requested again.
      if (!loading.signal.aborted)
        this.requestedTiles.set(key, { mesh: null, loading: null, lastUsed: this.updateCount });
    } finally {
      this.loadingCount--;
      this.invalidate();
    }
  }

  /** Creates a part of a sphere with the radius 1. The texture coordinates leave out the margin, which repeats pixels of the neighbours. */
  private createMesh(bitmap: ImageBitmap, level: number, column: number, row: number) {
    const columns = tileColumns(this.tiles, level);
    const rows = columns / 2;
    const side = SUBDIVISIONS + 1;
    const positions = new Float32Array(side * side * 3);
    const uvs = new Float32Array(side * side * 2);
    const indices: number[] = [];
    const sideWithMargin = this.tiles.tileSize + 2 * TILE_MARGIN;
    const skipMargin = (share: number) => (TILE_MARGIN + share * this.tiles.tileSize) / sideWithMargin;
    for (let j = 0; j <= SUBDIVISIONS; j++)
      for (let i = 0; i <= SUBDIVISIONS; i++) {
        const [u, v] = [(column + i / SUBDIVISIONS) / columns, (row + j / SUBDIVISIONS) / rows];
        const offset = j * side + i;
        positions.set(directionAt(u, 1 - v, 0), offset * 3);
        uvs.set([skipMargin(i / SUBDIVISIONS), skipMargin(j / SUBDIVISIONS)], offset * 2);
        if (i === SUBDIVISIONS || j === SUBDIVISIONS) continue;
        const below = offset + side;
        // Counter-clockwise seen from the centre.
        indices.push(offset, below, below + 1, offset, below + 1, offset + 1);
      }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("uv", new BufferAttribute(uvs, 2));
    geometry.setIndex(indices);
    const texture = new Texture(bitmap);
    texture.flipY = false;
    texture.colorSpace = SRGBColorSpace;
    // The tiles have about the resolution of the screen, so they need no mipmaps, which would mix in the margin.
    texture.minFilter = LinearFilter;
    texture.magFilter = LinearFilter;
    texture.generateMipmaps = false;
    texture.needsUpdate = true;
    const material = new MeshBasicMaterial({
      map: texture,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
      transparent: true,
    });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = this.renderOrder + level * 0.01;
    return mesh;
  }

  /** When there are too many tiles, frees those that have been out of view for the longest time. */
  private freeUnusedTiles(): void {
    const drawnTiles = [...this.requestedTiles]
      .filter(([, { mesh }]) => mesh !== null)
      .sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    const maxCount = this.isSmall ? TILES_MAX_SMALL : TILES_MAX;
    for (const [key, { mesh, lastUsed }] of drawnTiles.slice(0, Math.max(0, drawnTiles.length - maxCount))) {
      if (!mesh || lastUsed === this.updateCount) continue;
      this.requestedTiles.delete(key);
      this.object.remove(mesh);
      if (mesh.material.map) disposeTexture(mesh.material.map);
      mesh.material.dispose();
      mesh.geometry.dispose();
    }
  }
}
