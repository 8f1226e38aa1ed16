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
  tileAddress,
  tileColumns,
} from "~/domain/spaces/panorama-tiles";
import { direction, shortestTurn, TAU } from "../core/angles";
import { directionAt } from "../core/equirect";
import type { Pose } from "../core/flight";
import type { Size } from "../core/projection";
import { dot } from "../core/vec";
import { freeTexture, freeTree } from "./free.client";

/** Tiles on their way at a time. */
const LOADS = 6;
/** Tiles that are held. One takes 4 MB of the graphics memory. */
const HELD = 48;
const HELD_SMALL = 16;
/** Pieces of a tile's side: their corners lie on the sphere. */
const PIECES = 8;
/** Screen pixels for one of a level before the next level is loaded. */
const SHARP = 1.1;

interface Tile {
  readonly key: string;
  readonly level: number;
  readonly column: number;
  readonly row: number;
  /** The angle between the direction of view and the tile's middle. */
  readonly away: number;
}

interface Held {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial> | null;
  readonly loading: AbortController | null;
  seen: number;
}

/** The sharp tiles of a panorama over its picture: those that are looked at, as sharp as the screen. */
export class TileLayer {
  readonly object = new Group();
  private readonly held = new Map<string, Held>();
  private loads = 0;
  private turn = 0;
  private isDisposed = false;

  /**
   * @param heading the yaw of the panorama's middle, in radians
   * @param isSmall the device has little memory
   * @param invalidate asks for another frame
   */
  constructor(
    private readonly tiles: PanoramaTiles,
    private readonly heading: number,
    private readonly isSmall: boolean,
    private readonly renderOrder: number,
    private readonly invalidate: () => void,
  ) {}

  /** Loads what is looked at now. @param sharpness pixels of the device for one of CSS */
  update(pose: Pose, size: Size, sharpness: number): void {
    this.turn++;
    const wanted = this.wanted(pose, size, sharpness);
    for (const { key } of wanted) {
      const known = this.held.get(key);
      if (known) known.seen = this.turn;
    }
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, { loading }] of this.held)
      if (loading && !keys.has(key)) {
        loading.abort();
        this.held.delete(key);
      }
    for (const tile of wanted) {
      if (this.loads >= LOADS) break;
      if (!this.held.has(tile.key)) void this.load(tile);
    }
    this.letGo();
  }

  dispose(): void {
    this.isDisposed = true;
    for (const { loading } of this.held.values()) loading?.abort();
    this.held.clear();
    freeTree(this.object);
  }

  /** The tiles in view of the level that is as sharp as the screen, the nearest to its middle first. */
  private wanted(pose: Pose, size: Size, sharpness: number): Tile[] {
    const { tiles } = this;
    const pixelsPerRadian = (size.height * sharpness) / 2 / Math.tan(pose.fov / 2);
    const needed = pixelsPerRadian * TAU;
    // The panorama's own picture is sharp enough.
    if (DISPLAY_WIDTH * SHARP >= needed) return [];
    let level = -1;
    for (let one = 0; one < tiles.levels; one++) {
      level = one;
      if (tileColumns(tiles, one) * tiles.tileSize * SHARP >= needed) break;
    }
    const columns = tileColumns(tiles, level);
    const rows = columns / 2;
    const ahead = direction(pose.yaw, pose.pitch);
    const half = Math.atan(Math.hypot(1, size.width / size.height) * Math.tan(pose.fov / 2));
    const reach = Math.cos(Math.min(Math.PI, half + (Math.SQRT1_2 * TAU) / columns));
    const found: Tile[] = [];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const middle = directionAt((column + 0.5) / columns, 1 - (row + 0.5) / rows, this.heading);
        const cosine = dot(ahead, middle);
        // Near the poles a tile reaches around.
        const isPole = row === 0 || row === rows - 1;
        const isNear =
          isPole && Math.abs(shortestTurn(pose.pitch, row === 0 ? Math.PI / 2 : -Math.PI / 2)) < half;
        if (cosine < reach && !isNear) continue;
        found.push({
          key: `${level}/${column}-${row}`,
          level,
          column,
          row,
          away: Math.acos(Math.min(1, cosine)),
        });
      }
    return found.sort((a, b) => a.away - b.away).slice(0, this.isSmall ? HELD_SMALL : HELD);
  }

  private async load({ key, level, column, row }: Tile): Promise<void> {
    const loading = new AbortController();
    this.held.set(key, { mesh: null, loading, seen: this.turn });
    this.loads++;
    try {
      const response = await fetch(tileAddress(this.tiles, level, column, row), {
        signal: loading.signal,
        priority: "low",
      });
      if (!response.ok) throw new Error(`The server answered ${response.status} for a tile.`);
      const picture = await createImageBitmap(await response.blob());
      if (loading.signal.aborted || this.isDisposed) return picture.close();
      const mesh = this.mesh(picture, level, column, row);
      this.object.add(mesh);
      mesh.updateMatrixWorld(true);
      this.held.set(key, { mesh, loading: null, seen: this.turn });
    } catch {
      // The panorama's own picture stays there. It is not asked for again.
      if (!loading.signal.aborted) this.held.set(key, { mesh: null, loading: null, seen: this.turn });
    } finally {
      this.loads--;
      this.invalidate();
    }
  }

  /** A piece of the sphere of one metre, whose texture leaves out the margin, so that neighbours meet without a seam. */
  private mesh(picture: ImageBitmap, level: number, column: number, row: number) {
    const columns = tileColumns(this.tiles, level);
    const rows = columns / 2;
    const side = PIECES + 1;
    const positions = new Float32Array(side * side * 3);
    const uvs = new Float32Array(side * side * 2);
    const indices: number[] = [];
    const whole = this.tiles.tileSize + 2 * TILE_MARGIN;
    const inside = (share: number) => (TILE_MARGIN + share * this.tiles.tileSize) / whole;
    for (let j = 0; j <= PIECES; j++)
      for (let i = 0; i <= PIECES; i++) {
        const [u, v] = [(column + i / PIECES) / columns, (row + j / PIECES) / rows];
        const at = j * side + i;
        positions.set(directionAt(u, 1 - v, 0), at * 3);
        uvs.set([inside(i / PIECES), inside(j / PIECES)], at * 2);
        if (i === PIECES || j === PIECES) continue;
        const below = at + side;
        // Counter-clockwise seen from the centre.
        indices.push(at, below, below + 1, at, below + 1, at + 1);
      }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("uv", new BufferAttribute(uvs, 2));
    geometry.setIndex(indices);
    const texture = new Texture(picture);
    texture.flipY = false;
    texture.colorSpace = SRGBColorSpace;
    // Tiles are about as sharp as the screen: smaller copies would mix in the margin.
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

  /** Gives back the tiles that were looked at longest ago. */
  private letGo(): void {
    const shown = [...this.held]
      .filter(([, { mesh }]) => mesh !== null)
      .sort(([, a], [, b]) => a.seen - b.seen);
    const most = this.isSmall ? HELD_SMALL : HELD;
    for (const [key, { mesh, seen }] of shown.slice(0, Math.max(0, shown.length - most))) {
      if (!mesh || seen === this.turn) continue;
      this.held.delete(key);
      this.object.remove(mesh);
      if (mesh.material.map) freeTexture(mesh.material.map);
      mesh.material.dispose();
      mesh.geometry.dispose();
    }
  }
}
